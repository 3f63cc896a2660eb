'use strict';

// The rest is in another file, which an old Node cannot parse.
require('./check-node.cjs');
module.exports = require('./cjs/index.cjs');
