const dedupe = require('nearprint');
const compat = require('nearprint/compat');
const simhash = require('nearprint/simhash');
const { answers } = require('./answers.cjs');
const { vectors } = require('./vectors.cjs');

console.log(answers({ ...dedupe, ...simhash }, compat, vectors));
