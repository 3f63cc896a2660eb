const nearprint = require('nearprint');
const compat = require('nearprint/compat');
const { answers } = require('./answers.cjs');
const { vectors } = require('./vectors.cjs');

console.log(answers(nearprint, compat, vectors));
