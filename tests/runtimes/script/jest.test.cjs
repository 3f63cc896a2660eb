test('the answers', () => {
  const { writeFileSync } = require('node:fs');
  const { answers } = require('./answers.cjs');
  const { vectors } = require('./vectors.cjs');
  const nearprint = { ...require('nearprint'), ...require('nearprint/simhash') };
  writeFileSync('jest.out', answers(nearprint, require('nearprint/compat'), vectors));
});

test('the other entries', async () => {
  const { sketch } = require('nearprint');
  const { memoryStore } = require('nearprint/store/memory');
  const { whenNew } = require('nearprint/crawl');
  const { calibrate } = require('nearprint/calibrate');
  const [{ status }] = await memoryStore().observe([{ id: 'a', sketch: sketch('one text') }]);
  expect([status, typeof whenNew, typeof calibrate]).toEqual(['new', 'function', 'function']);
});
