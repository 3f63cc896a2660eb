// Which words move which bits: checked against votes that are counted in Node.
import assert from 'node:assert/strict';
import { features, fingerprint } from '../../pkg/simhash.js';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { compared, eventually, openForAll, reads, withPage, writeTexts } from './harness.mjs';

const { samples } = await importSource('www/compare/samples.ts');
const { a: news, b: edited } = samples.find(({ name }) => name === 'sampleNews');

const opened = await openForAll('/', { viewport: { width: 1280, height: 720 } });
const { page } = opened;

async function write(a, b) {
  await writeTexts(page, a, b);
  await compared(page, fingerprint(a), fingerprint(b));
}

/** The sum of the votes of features on a bit. */
const sumOf = (list, bit) =>
  list.reduce((sum, { hash, weight }) => sum + ((hash >> BigInt(bit)) & 1n ? weight : -weight), 0);
const number = (text) => Number(text.replace('−', '-'));
const signed = (sum) => (sum > 0 ? `+${sum}` : sum < 0 ? `−${-sum}` : '0');
const cell = (bit) => page.locator(`#strip [data-bit="${bit}"]`);

/** The rows of the number line: what is at its start, what moves it, and its end. */
const rows = () =>
  page
    .locator('#number-line li:not(.axis, .hint)')
    .evaluateAll((all) =>
      all.map((row) => [row.querySelector('.what').textContent, row.querySelector('.votes').textContent]),
    );

/** Matches the sentence on a bit whose sum is not the same in both texts, with the sums that its number line leads through. */
function sentencePattern(bit, [from, to], shown) {
  const moves = shown.slice(1, -1).map(([, votes]) => number(votes));
  const turn = moves.filter((move) => move > 0 === to > from).reduce((sum, move) => sum + move, from);
  const back = turn === to ? '' : `, and .+ back to ${signed(to)}`;
  const [before, after] = [from, to].map((sum) => (sum > 0 ? 1 : 0));
  const isNew = before !== after;
  const tie = 'a tie, which counts as 0';
  const votes = Math.abs(from) === 1 ? 'vote' : 'votes';
  const first = isNew
    ? `was ${before}${from === 0 ? ` in ${tie}` : ` by ${Math.abs(from)} ${votes}`}`
    : `is ${before} in both texts, with ${signed(from)} and ${signed(to)} votes`;
  const way = `moved it from ${signed(from)} to ${signed(turn)}${back}`;
  const value = isNew ? `: it is now ${after}` : '';
  const last = to === 0 ? `${value}${isNew ? ' in' : ':'} ${tie}` : value;
  return new RegExp(`^Bit ${bit} ${first}\\. .+ ${way}${last}\\.$`.replace(/\+(?=\d)/g, '\\+'));
}

const differing = (a, b) => Array.from({ length: 64 }, (_, bit) => bit).filter((bit) => ((a ^ b) >> BigInt(bit)) & 1n);

test('one sentence and one number line explain each flip, with numbers that the votes give', async () => {
  await write(news, edited);
  const [before, after] = [features(news), features(edited)];
  const flips = differing(fingerprint(news), fingerprint(edited));
  assert.equal(flips.length, 7);
  for (const bit of flips) {
    await cell(bit).hover();
    const [from, to] = [before, after].map((list) => sumOf(list, bit));
    await reads(page, '#sentence', new RegExp(`^Bit ${bit} .* moved it`));
    const shown = await rows();
    assert.deepEqual(shown.at(0), ['First text', signed(from)]);
    assert.deepEqual(shown.at(-1), ['Second text', signed(to)]);
    const moves = shown.slice(1, -1);
    assert.equal(
      moves.reduce((sum, [, votes]) => sum + number(votes), from),
      to,
      'the arrows lead from one sum to the other',
    );
    await reads(page, '#sentence', sentencePattern(bit, [from, to], shown));
    // The votes of one change: the features with its words that are in one text only.
    const own = [before.filter((f) => /thursday/.test(f.feature)), after.filter((f) => /friday/.test(f.feature))];
    const expected = sumOf(own[1], bit) - sumOf(own[0], bit);
    const shownMove = moves.find(([what]) => what === 'Thursday → Friday');
    if (shownMove !== undefined || moves.length < 4)
      assert.equal(number(shownMove?.[1] ?? '0'), expected, `bit ${bit}`);
  }
});

test('a bit lights the words of each change in proportion to its arrow, and none of a change without one', async () => {
  await write(news, edited);
  const [before, after] = [features(news), features(edited)];
  /** The features of one text that the other one has less of. */
  const only = (own, other) => {
    const weights = new Map(other.map(({ hash, weight }) => [hash, weight]));
    return own.filter(({ hash, weight }) => weight > (weights.get(hash) ?? 0));
  };
  const [lost, gained] = [only(before, after), only(after, before)];
  const lightOf = async (side, words) => {
    const lit = await page
      .locator(`#marks-${side} .lit`)
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, Number(getComputedStyle(one).getPropertyValue('--lit'))]),
      );
    return lit.filter(([text]) => words.includes(text)).reduce((sum, [, light]) => sum + light, 0);
  };
  const changes = [
    { words: { a: ['Thursday'], b: ['Friday'] }, lost: /\bthursday\b/, gained: /\bfriday\b/ },
    { words: { a: ['some'], b: ['about'] }, lost: /\bsome\b/, gained: /\babout\b/ },
    { words: { a: ['council', 'said'], b: ['spokeswoman'] }, lost: /^council said$/, gained: /\bspokeswoman\b/ },
  ];
  let [compares, still] = [0, 0];
  for (const bit of differing(fingerprint(news), fingerprint(edited))) {
    await cell(bit).hover();
    await reads(page, '#sentence', new RegExp(`^Bit ${bit} `));
    const moved = changes.map((change) => {
      const [minus, plus] = [lost, gained].map((list, at) =>
        sumOf(
          list.filter(({ feature }) => [change.lost, change.gained][at].test(feature)),
          bit,
        ),
      );
      return Math.abs(plus - minus);
    });
    const light = [];
    for (const { words } of changes) light.push((await lightOf('a', words.a)) + (await lightOf('b', words.b)));
    const at = moved.indexOf(Math.max(...moved));
    for (const [other, by] of moved.entries()) {
      if (by === 0) still++;
      else compares++;
      assert.ok(Math.abs(light[other] / light[at] - by / moved[at]) < 0.06, `bit ${bit}: ${light}, ${moved}`);
    }
  }
  assert.ok(compares > 10 && still > 0, `${compares} lit, ${still} not`);
  assert.equal(await page.locator('#marks-a .lit', { hasText: /^river$/ }).count(), 0, 'a word that moved nothing');
});

/** The light of each bit: positive for 1, negative for 0. */
const lights = () =>
  page.locator('#strip i').evaluateAll((all) =>
    all.map((one) => {
      const value = Number(getComputedStyle(one).getPropertyValue('--lit'));
      return one.classList.contains('for-one') ? value : one.classList.contains('for-zero') ? -value : 0;
    }),
  );

/** Returns the light of each bit, the highest first, by the votes of features. */
function expectedLights(list) {
  const sums = Array.from({ length: 64 }, (_, at) => sumOf(list, 63 - at));
  const most = Math.max(...sums.map(Math.abs));
  return sums.map((sum) => sum / most);
}

const agree = (expected) =>
  eventually(async () => {
    const found = await lights();
    for (const [at, light] of expected.entries()) assert.ok(Math.abs(found[at] - light) < 0.01, `${at}: ${found[at]}`);
  });

/** Moves the pointer over a word of a field. */
async function pointAt(side, word) {
  await page.locator(`#text-${side}`).evaluate((field) => field.scrollTo(0, 0));
  await eventually(async () => {
    const top = await page.locator(`#marks-${side}`).evaluate((layer) => layer.scrollTop);
    assert.equal(top, 0, 'the layer follows');
  });
  const box = await page.locator(`#marks-${side}`).evaluate((layer, word) => {
    const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(word);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    return null;
  }, word);
  await page.mouse.move(box.x, box.y);
}

test('a word that is pointed at, or that has the cursor, lights its bits', async () => {
  await write(news, edited);
  const withWord = (text, word) => features(text).filter(({ feature }) => feature.split(' ').includes(word));
  await pointAt('a', 'Aune');
  await reads(page, '#sentence', /^Aune votes as “aune”, “river aune”, “aune burst”\.$/);
  await agree(expectedLights(withWord(news, 'aune')));
  await pointAt('b', 'spokeswoman');
  await reads(page, '#sentence', /^spokeswoman votes as .* spokeswoman helped to flip bits? [\d, ]+\.$/);
  await agree(expectedLights(withWord(edited, 'spokeswoman')));
  await page.mouse.move(5, 5);
  await reads(page, '#sentence', /^Bit \d+ was/);
  await agree(Array(64).fill(0));

  const area = page.locator('#text-a');
  await area.focus();
  const at = news.indexOf('ferry') + 2;
  await area.evaluate((field, at) => field.setSelectionRange(at, at), at);
  await reads(page, '#sentence', /^ferry votes as /);
  await agree(expectedLights(withWord(news, 'ferry')));
  await page.locator('#strip [tabindex="0"]').focus();
  await reads(page, '#sentence', /^Bit \d+ was/);
});

test('bits are reached by keyboard; a click holds one, and other texts release it', async () => {
  await write(news, edited);
  const bit = (number) => reads(page, '#sentence', new RegExp(`^Bit ${number} `));
  await cell(60).focus();
  await bit(60);
  await page.keyboard.press('ArrowRight');
  await bit(59);
  await page.keyboard.press('ArrowDown');
  await bit(27);
  await page.keyboard.press('End');
  await bit(0);
  await page.keyboard.press('Home');
  await bit(63);
  assert.match(
    await cell(63).getAttribute('aria-label'),
    /^Bit 63 is 1 in both texts\. The sums are \+\d+ and \+\d+\.$/,
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('ArrowDown');
  await bit(55);
  await page.setViewportSize({ width: 1280, height: 720 });
  await cell(5).click();
  await cell(50).hover();
  await bit(5);
  await cell(5).click();
  await cell(50).hover();
  await bit(50);
  await cell(5).click();
  const other = `${news} One more sentence.`;
  await write(news, other);
  await bit(differing(fingerprint(news), fingerprint(other)).at(-1));
});

test('nothing moves while one points at bits', async () => {
  await write(news, edited);
  const top = () => page.locator('#text-a').evaluate((field) => field.getBoundingClientRect().top + scrollY);
  const first = await top();
  for (let bit = 63; bit >= 0; bit -= 3) {
    await cell(bit).hover();
    await reads(page, '#sentence', new RegExp(`^Bit ${bit} `));
    assert.equal(await top(), first, `bit ${bit}`);
  }
});

for (const [reducedMotion, animation] of [
  ['no-preference', 'turn'],
  ['reduce', 'fade'],
]) {
  test(`with ${reducedMotion} for motion, a bit that changes has the animation ${animation}`, () =>
    withPage('/', { reducedMotion }, async (view) => {
      await view.locator('#marks-a .lit').first().waitFor();
      await view.evaluate(() => {
        globalThis.animations = [];
        document.addEventListener('animationstart', (event) => globalThis.animations.push(event.animationName));
      });
      await view.locator('#text-b').fill(news);
      await reads(view, '#headline', /No bit differs/);
      await eventually(async () => {
        const animations = await view.evaluate(() => globalThis.animations);
        assert.deepEqual(animations, Array(7).fill(animation));
      });
    }));
}

test('all moves of unrelated and of short texts are accounted for', async () => {
  const { a, b } = samples.find(({ name }) => name === 'sampleUnrelated');
  for (const [one, two] of [
    [a, b],
    ['The river burst its banks', 'THE RIVER fell again'],
    ['the the the the end', 'the end of the story'],
    ['今天的天气很好，我们去公园', '今天的天气不好，我们去图书馆'],
  ]) {
    await write(one, two);
    for (const bit of [63, 40, 21, 2]) {
      await cell(bit).focus();
      const [from, to] = [one, two].map((text) => sumOf(features(text), bit));
      await eventually(async () => {
        const shown = await rows();
        assert.deepEqual([number(shown.at(0)[1]), number(shown.at(-1)[1])], [from, to]);
        const moves = shown.slice(1, -1).map(([, votes]) => number(votes));
        assert.equal(
          moves.reduce((sum, move) => sum + move, from),
          to,
        );
        const sentence = await page.locator('#sentence').textContent();
        if (from !== to) assert.match(sentence, sentencePattern(bit, [from, to], shown));
      });
    }
  }
});
