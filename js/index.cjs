'use strict';

// What an old Node cannot read is in another file, so that this one can say so.
require('./check-node.cjs');
module.exports = require('./cjs/index.cjs');
