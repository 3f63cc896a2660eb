test('the answers', () => {
  const { writeFileSync } = require('node:fs');
  const { answers } = require('./answers.cjs');
  const { vectors } = require('./vectors.cjs');
  writeFileSync('jest.out', answers(require('nearprint'), require('nearprint/compat'), vectors));
});
