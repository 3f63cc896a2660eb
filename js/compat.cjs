'use strict';

require('./check-node.cjs');
module.exports = require('./cjs/compat.cjs');
