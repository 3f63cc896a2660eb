// calibrate on the command line, --report-html, and the report that it writes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parse } from 'parse5';
import { calibrate } from '../../pkg/calibrate.js';
import { dedupe, sketch } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines } from './command.mjs';
import { random } from './random.mjs';
import { collect, valuesOf } from './values.mjs';

const { messages } = await importSource('js/report/messages.ts');
const { reportHtml } = await importSource('js/report/report.ts');
const { EARLIER, MAX_SHOWN, NONE, select } = await importSource('js/report/select.ts');
const { style, styleHash } = await importSource('js/report/style.ts');

const command = makeCommandFolder();
const { folder, read, write } = command;
const sample = fileURLToPath(new URL('../../examples/sample.jsonl', import.meta.url));
const documents = parseLines(readFileSync(sample, 'utf8'));

const temporary = join(folder, 'tmp');
mkdirSync(temporary);
const env = { ...process.env, TMPDIR: temporary };

/** Runs the command. Its temporary files are in a folder of their own. */
const run = (args, input = '') => command.run(args, { input, env });

/** The elements of a document with a tag name, by the parser of the HTML standard. */
function elements(node, tagName, found = []) {
  if (node.tagName === tagName) found.push(node);
  for (const child of node.childNodes ?? []) elements(child, tagName, found);
  return found;
}
const textOf = (node) => (node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textOf).join(''));
const attribute = (node, name) => node.attrs.find((one) => one.name === name)?.value;
const withClass = (document, tagName, name) =>
  elements(document, tagName).filter((node) => attribute(node, 'class')?.split(' ').includes(name));

/** Elements and attributes that a report has. None of them runs or loads anything. */
const harmless = {
  elements: new Set(
    'html head meta title style body main section footer h1 h2 h3 p div span b br svg rect line title details summary ol li bdi del ins'.split(
      ' ',
    ),
  ),
  attributes: new Set(
    'lang charset http-equiv content name class role aria-label aria-hidden viewbox viewBox preserveAspectRatio x y x1 x2 y1 y2 width height dir'.split(
      ' ',
    ),
  ),
};

function checkHarmless(node) {
  if (node.tagName) {
    assert.ok(harmless.elements.has(node.tagName), `the element ${node.tagName}`);
    for (const { name } of node.attrs) assert.ok(harmless.attributes.has(name), `the attribute ${name}`);
  }
  for (const child of node.childNodes ?? []) checkHarmless(child);
}

/** Parses a report strictly: the parser of the standard has nothing to object. */
function parsed(html) {
  const errors = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  assert.deepEqual(errors, []);
  checkHarmless(document);
  return document;
}

const river =
  'The river burst its banks early on Tuesday, the council said, and forty families spent the night in the hall.';

const hostile = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onclick='alert(1)",
  '</style></bdi></p></details><h1>mine</h1>',
  '<!--',
  '&lt;b&gt; &amp; &#x3c;',
  '\u202eevil \u0000 \u0007 \ud800 ]]>',
];

test('texts, ids and file names of strangers are only ever text', () => {
  const rows = hostile.flatMap((text, at) => [
    { id: `${text}${at}`, text: `${text} ${river}` },
    { id: `${at}${text}`, text: `${text} ${river.replace('Tuesday', text)} ${text}` },
  ]);
  const name = write("<img src=x onerror='alert(2)'>&.jsonl", jsonLines(rows));
  for (const language of ['en', 'zh']) {
    const { status, stderr } = run(['dedupe', '--report-html', 'hostile.html', '--report-language', language, name]);
    assert.equal(status, 0, stderr);
    const html = read('hostile.html');
    const document = parsed(html);
    assert.equal(attribute(elements(document, 'html')[0], 'lang'), messages[language].lang);
    const text = textOf(document);
    for (const part of [
      '<img src=x onerror=alert(1)>',
      '</script><script>alert(1)</script>',
      name,
      '&lt;b&gt; &amp;',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(
      text.includes('\u2400') && !html.includes('\0') && !html.includes('\u0007'),
      'control characters are shown',
    );
    assert.equal(elements(document, 'h1').length, 1);
  }
});

test('the policy forbids everything but the one style', () => {
  run(['dedupe', '--report-html', 'policy.html', sample]);
  const document = parsed(read('policy.html'));
  const [policy] = elements(document, 'meta').filter((node) => attribute(node, 'http-equiv') !== undefined);
  const hash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
  assert.equal(styleHash, hash, 'js/report/style.ts: styleHash');
  assert.equal(
    attribute(policy, 'content'),
    `default-src 'none'; style-src '${hash}'; base-uri 'none'; form-action 'none'`,
  );
  assert.equal(textOf(elements(document, 'style')[0]), style);
  assert.ok(!/url\(|@import|https?:/.test(style));
});

test('dedupe --report-html: what was dropped, from which kept document, and the words that differ', async () => {
  const expected = (await collect(dedupe(documents))).filter(({ status }) => status === 'duplicate');
  const { status, stdout } = run(['dedupe', '--report-html', 'sample.html', sample]);
  assert.equal(status, 0);
  assert.equal(stdout.trimEnd().split('\n').length, documents.length - expected.length, 'the output is the same');
  const document = parsed(read('sample.html'));
  assert.match(textOf(document), new RegExp(`${expected.length} of ${documents.length} documents are near-duplicates`));
  const clusters = withClass(document, 'li', 'cluster');
  assert.equal(clusters.length, new Set(expected.map(({ duplicateOf }) => duplicateOf)).size);
  const found = clusters.flatMap((cluster) => {
    const [kept, ...members] = withClass(cluster, 'bdi', 'name').filter(({ parentNode }) => parentNode.tagName !== 'p');
    return members.map((member) => `${textOf(member)} of ${textOf(kept)}`);
  });
  assert.deepEqual(found.toSorted(), expected.map(({ id, duplicateOf }) => `${id} of ${duplicateOf}`).toSorted());
});

exhaustive('the resemblance of each pair is the estimate of the two sketches', () => {
  const pick = random(4);
  const word = () => `word${pick(5000)}`;
  const texts = [];
  for (let at = 0; at < 300; at++) {
    const words = at % 3 ? texts[at - (at % 3)].split(' ') : Array.from({ length: 40 + pick(80) }, word);
    const edits = at % 3 && Math.floor(words.length * (0.06 + pick(8) / 100));
    for (let edit = 0; edit < edits; edit++) words[pick(words.length)] = word();
    texts.push(words.join(' '));
  }
  const input = jsonLines(texts.map((text, id) => ({ id: `${id}`, text })));
  write('resemblance.jsonl', input);
  const estimated = (a, b) => sketch(a).resemblance(sketch(b));
  for (const args of [['resemblance.jsonl'], ['--keep', 'longest', 'resemblance.jsonl'], ['-']]) {
    run(['dedupe', '--quiet', '--report-html', 'resemblance.html', ...args], input);
    const pairs = withClass(parsed(read('resemblance.html')), 'div', 'sides').map((node) => {
      const [, share] = /^Resemblance: ([\d.]+)%\./.exec(textOf(withClass(node, 'p', 'note')[0]));
      const sides = withClass(node, 'p', 'which').map((side) => textOf(side).split(' '));
      const [a, b] = sides.map(([, name]) => texts[name]);
      assert.equal(Number(share), Math.floor(1000 * estimated(a, b) + 1e-9) / 10, `${args}`);
      return { isDropped: sides[1][0] === 'dropped', share: Number(share) };
    });
    const kept = pairs.filter(({ isDropped }) => !isDropped);
    assert.equal(kept.length, MAX_SHOWN.misses);
    assert.ok(pairs.every(({ isDropped, share }) => isDropped === share >= 67));
  }
});

test('the marked words are those that were changed', () => {
  const changed = river.replace('Tuesday', 'Friday');
  write('two.jsonl', jsonLines([river, changed].map((text, id) => ({ id, text }))));
  run(['dedupe', '--report-html', 'two.html', 'two.jsonl']);
  const document = parsed(read('two.html'));
  const [cluster] = withClass(document, 'li', 'cluster');
  assert.deepEqual(elements(cluster, 'del').map(textOf), ['Tuesday']);
  assert.deepEqual(elements(cluster, 'ins').map(textOf), ['Friday']);
  assert.deepEqual(withClass(cluster, 'p', 'text').map(textOf), [river, changed]);
});

exhaustive('the report is the same from gzip, standard input and pipes, for any number of threads', () => {
  const bytes = readFileSync(sample);
  write('sample.jsonl', bytes);
  // Its first line is long, so that a thread reads it.
  write('sample.gz', gzipSync(`${bytes}`.replace('{', `{"padding":"${'x'.repeat(5 << 20)}",`)));
  const body = (name) => read(name).replace(/From [^ ]+\./, '');
  run(['dedupe', '--report-html', 'a.html', 'sample.jsonl']);
  run(['dedupe', '--report-html', 'b.html', '--threads', 3, 'sample.gz']);
  run(['dedupe', '--report-html', 'c.html'], bytes);
  assert.equal(body('b.html'), body('a.html'));
  assert.equal(body('c.html'), body('a.html'));
  if (process.platform !== 'win32') {
    command.shell('nearprint dedupe --report-html d.html <(cat sample.jsonl)', env);
    assert.equal(body('d.html'), body('a.html'), 'from another pipe');
  }
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.startsWith('nearprint-')),
    [],
    'no temporary file stays',
  );
});

exhaustive('--report-html: the text of standard input, and a file that does not exist', () => {
  for (const [command, format] of [
    ['dedupe', 'text'],
    ['dedupe', 'html'],
  ]) {
    const args = [command, '--format', format, '--report-html', 'stdin.html', '--quiet'];
    const { status, stderr } = run(args, `<p>${river}`);
    assert.deepEqual([status, stderr], [0, ''], `${command} --format ${format}`);
  }
  write('twice.jsonl', jsonLines([river, river].map((text, id) => ({ id, text }))));
  const { status, stderr } = run('dedupe --quiet --report-html missing.html missing.jsonl twice.jsonl');
  assert.deepEqual([status, stderr], [2, 'nearprint: missing.jsonl: no such file or directory\n']);
  assert.match(read('missing.html'), /<\/html>\s*$/);
});

exhaustive('a file that is gone or changed when its texts are read again is an error', () => {
  // The other file, a pipe, is opened after the first one was read. Its writer waits for that, and changes the first one.
  if (process.platform === 'win32') return;
  for (const [change, reason] of [
    ['rm gone.jsonl', 'gone.jsonl cannot be read again: no such file or directory'],
    [
      'printf "{}\\n{}\\n" > gone.jsonl',
      'gone.jsonl cannot be read again: no field "text" (--text-field); the document has none',
    ],
    [': > gone.jsonl', 'the input has changed since it was read'],
  ]) {
    write('gone.jsonl', jsonLines([river, river].map((text, id) => ({ id, text }))));
    const line = `rm -f next; mkfifo next; (exec 3> next; ${change}) &
      nearprint dedupe --report-html g.html gone.jsonl next > kept.jsonl
      status=$?; kill $! 2> /dev/null; exit $status`;
    const { status, stderr } = command.shell(line);
    assert.deepEqual([status, stderr], [2, `nearprint: --report-html: ${reason}\n`]);
    assert.equal(read('kept.jsonl'), jsonLines([{ id: 0, text: river }]), 'the output is whole');
  }
});

exhaustive('several files, --keep longest, --html and bad lines', () => {
  const page = (text) => `<!doctype html><title>x</title><main><p>${text}</p></main>`;
  write(
    'one.jsonl',
    `${jsonLines([{ text: page(river) }])}broken\n${jsonLines([{ text: page('Unlike all the others.') }])}`,
  );
  write('more.jsonl', jsonLines([{ text: page(`${river} And ten had no shoes.`) }]));
  const { status } = run('dedupe --html --keep longest --report-html l.html one.jsonl more.jsonl');
  assert.equal(status, 2);
  const [cluster] = withClass(parsed(read('l.html')), 'li', 'cluster');
  assert.deepEqual(withClass(cluster, 'bdi', 'name').map(textOf).slice(0, 2), ['more.jsonl:1', 'one.jsonl:1']);
  assert.ok(!textOf(cluster).includes('<p>'));
});

test('documents of ids that repeat are named by their places', () => {
  const texts = [river, documents[0].text, river.replace('Tuesday', 'Friday')];
  write('ids.jsonl', jsonLines(texts.map((text, at) => ({ id: at % 2, text }))));
  run(['dedupe', '--report-html', 'ids.html', 'ids.jsonl']);
  const [cluster] = withClass(parsed(read('ids.html')), 'li', 'cluster');
  assert.deepEqual(withClass(cluster, 'bdi', 'name').map(textOf).slice(0, 2), ['0 (ids.jsonl:1)', '0 (ids.jsonl:3)']);
});

exhaustive('documents of an index are counted, not shown', () => {
  write('old.jsonl', jsonLines([{ id: 'old', text: river }]));
  write('new.jsonl', jsonLines([{ id: 'new', text: river.replace('Tuesday', 'Friday') }]));
  run(['dedupe', '--index', 'seen.idx', 'old.jsonl']);
  const { status } = run(['dedupe', '--index', 'seen.idx', '--report-html', 'index.html', 'new.jsonl']);
  assert.equal(status, 0);
  const text = textOf(parsed(read('index.html')));
  assert.match(text, /1 of 1 documents are near-duplicates/);
  assert.match(text, /1 documents are near-duplicates of documents of earlier runs/);
  // Documents that are not compared with each other are not pairs.
  write('copies.jsonl', jsonLines([1, 2].map((id) => ({ id, text: `${documents[0].text} ${'once '.repeat(id)}` }))));
  run(['dedupe', '--against', 'seen.idx', '--against-only', '--report-html', 'only.html', 'copies.jsonl']);
  const only = parsed(read('only.html'));
  assert.match(textOf(only), /None of 2 documents is a near-duplicate/);
  assert.deepEqual(elements(only, 'details'), []);
});

exhaustive('options that do not go together are refused before anything is written', () => {
  const refused = [
    ['dedupe --report-html x.html --store sqlite:x.db a.jsonl', /--report-html cannot be combined with --store/],
    ['dedupe --report-html a.jsonl a.jsonl', /--report-html a\.jsonl would overwrite a\.jsonl/],
    ['dedupe --report x --report-html x a.jsonl', /--report-html x would overwrite --report x/],
    ['dedupe --report-html= a.jsonl', /--report-html must be the path of a file, got ""/],
    ['dedupe --report-html x.html --report-language fr a.jsonl', /--report-language must be en or zh, got "fr"/],
    ['calibrate --min-resemblance 0.5 a.jsonl', /--min-resemblance is not an option of calibrate/],
    ['calibrate --sample many a.jsonl', /--sample must be a whole number from 1 to 200000, got "many"/],
    ['calibrate --labels none.tsv a.jsonl', /--labels none\.tsv: no such file/],
  ];
  write('a.jsonl', jsonLines(documents.slice(0, 5)));
  for (const [args, message] of refused) command.fail(args, message);
  assert.ok(!existsSync(join(folder, 'x.html')));
});

test('calibrate prints the figures of the function, and --json all of them', async () => {
  const expected = await calibrate(documents, { pairs: 10 });
  const { stdout } = run(['calibrate', '--json', sample]);
  const withPlaces = ({ at, id }) => ({ at, id, place: `${sample}:${at + 1}` });
  const intervals = expected.intervals.map(({ pairs, ...interval }) => ({
    ...interval,
    pairs: pairs.map(({ earlier, later, resemblance }) => ({
      earlier: withPlaces(earlier),
      later: withPlaces(later),
      resemblance,
    })),
  }));
  assert.deepEqual(JSON.parse(stdout), { ...expected, intervals });
  const output = command.outputOf(['calibrate', sample]);
  for (const { minResemblance, documents: count, share } of expected.thresholds) {
    const row = `^ *${minResemblance.toFixed(2)} +${count} +${(Math.floor(1000 * share) / 10).toFixed(1)} % +\\d+-\\d+ %$`;
    assert.match(output, new RegExp(row, 'm'));
  }
  for (const { from, to, documents: count, pairs } of expected.intervals) {
    assert.match(output, new RegExp(`^${from.toFixed(2)} to ${to.toFixed(2)}: ${count} documents?$`, 'm'));
    for (const [place, { earlier, later, resemblance }] of pairs.entries()) {
      const line = `  ${(Math.floor(100 * resemblance) / 100).toFixed(2)}  ${later.id} (${sample}:${later.at + 1})  after  ${earlier.id} (`;
      assert.equal(output.includes(line), place === 0 || place === pairs.length - 1, line);
    }
  }
  assert.match(output, /of some 30 words\. At 0\.67: 81-99 %\./);
  assert.match(output, /^Measured on all 159 documents\. .*Equal to an earlier one: 17\.$/m);
  assert.match(
    run(['calibrate', '--sample', 60, sample]).stdout,
    /^Measured on a random sample of 60 of 159 documents/m,
  );
});

test('calibrate shows the words that differ, and where documents with one id are', () => {
  const other = `${river.slice(0, -1)} ${Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ')}.`;
  const changed = other.replace('Tuesday', 'Friday').replace('forty', '\u001b[31mfifty\u202e').replace(/ w7\d/g, '');
  write('once.jsonl', jsonLines([other, changed, other.toUpperCase()].map((text) => ({ id: 'a', text }))));
  const output = command.outputOf(['calibrate', 'once.jsonl']);
  assert.match(output, /^ {2}0\.\d\d {2}a \(once\.jsonl:2\) {2}after {2}a \(once\.jsonl:1\)$/m);
  assert.match(output, /its banks early on \[-Tuesday-\]\{\+Friday\+\}, the council said, and \[-forty-\]/);
  assert.match(output, /\{\+ ?\[31mfifty\\u202e\+\}/);
  assert.match(output, /\[- ?w70 .* w79 ?-\].{0,50}…$/m);
  assert.match(output, /^0\.95 to 1\.00: 1 document, each equal to an earlier one$/m);
  assert.match(output, /^0\.50 to 0\.55: 0 documents$/m);
  const fromPipe = run(['calibrate'], read('once.jsonl'));
  assert.equal(fromPipe.stdout, output.replaceAll('once.jsonl', 'stdin'));
});

test('calibrate needs two documents', () => {
  for (const count of [0, 1]) {
    const { status, stdout, stderr } = run(['calibrate'], jsonLines(documents.slice(0, count)));
    assert.deepEqual(
      [status, stdout, stderr],
      [2, '', `nearprint: calibrate needs at least two documents, got ${count}\n`],
    );
  }
});

exhaustive('calibrate --labels: the verdicts of a file, and its bad lines', () => {
  write(
    'labelled.jsonl',
    jsonLines([river, river.replace('Tuesday', 'Friday'), documents[0].text].map((text, id) => ({ id, text }))),
  );
  write('pairs.tsv', '# comment\n0\t1\tdifferent\r\n1\t2\n\n0\tnobody\tsame\n');
  assert.match(
    command.outputOf('calibrate --labels pairs.tsv labelled.jsonl'.split(' ')),
    /^Your labels: 1 pair the same, 1 different; 1 left out, which name an id that no document has\.$/m,
  );
  const { stdout } = run('calibrate --json --labels pairs.tsv labelled.jsonl'.split(' '));
  const { labels, thresholds } = JSON.parse(stdout);
  assert.deepEqual(labels, { same: 1, different: 1, contradictory: 0, missing: 1, ambiguous: 0 });
  assert.deepEqual(thresholds[0].labels, { precision: 0, recall: 0 });
  for (const bad of ['0', '0\t0', '0\t1\tmaybe', '0\t1\tsame\tx']) {
    write('bad.tsv', `0\t1\n${bad}\n`);
    command.fail('calibrate --labels bad.tsv labelled.jsonl', /--labels bad\.tsv:2: a line has two different ids/);
  }
});

/** Returns more decisions than a report can show. */
function many() {
  const pick = random(3);
  const [nearest, resemblances, isDropped] = [[], [], []];
  const kept = [];
  for (let at = 0; at < 5000; at++) {
    const choice = kept.length < 200 ? 0 : pick(10);
    isDropped.push(choice > 2 ? 1 : 0);
    nearest.push(choice === 0 ? NONE : choice === 9 ? EARLIER : kept[pick(Math.min(kept.length, 300))]);
    resemblances.push(choice === 0 ? 0 : choice > 2 ? 0.67 + pick(331) / 1000 : pick(670) / 1000);
    if (!isDropped[at]) kept.push(at);
  }
  return { nearest, resemblances, isDropped };
}

test('the selection: the largest clusters, the pairs nearest to the threshold, every document counted once', () => {
  const decisions = many();
  const { nearest, resemblances, isDropped } = decisions;
  const chosen = select(decisions);
  const dropped = [...nearest.keys()].filter((at) => isDropped[at]);
  assert.equal(chosen.dropped, dropped.length);
  assert.equal(chosen.earlier, dropped.filter((at) => nearest[at] === EARLIER).length);
  const sizes = new Map();
  for (const at of dropped) if (nearest[at] >= 0) sizes.set(nearest[at], (sizes.get(nearest[at]) ?? 0) + 1);
  assert.equal(chosen.clusterCount, sizes.size);
  const largest = [...sizes.values()].sort((a, b) => b - a).slice(0, chosen.clusters.length);
  assert.deepEqual(valuesOf(chosen.clusters, 'dropped'), largest);
  const pairs = chosen.clusters.flatMap(({ members }) => members);
  assert.equal(pairs.length, MAX_SHOWN.pairs);
  for (const { kept, members } of chosen.clusters) {
    assert.ok(members.length <= MAX_SHOWN.members);
    for (const pair of members) assert.ok(pair.kept === kept && isDropped[pair.at]);
  }
  const by = (list) => list.map((at) => resemblances[at]).sort((a, b) => a - b);
  const shown = dropped.filter((at) => nearest[at] >= 0);
  assert.deepEqual(valuesOf(chosen.above, 'resemblance'), by(shown).slice(0, MAX_SHOWN.misses));
  const left = [...nearest.keys()].filter((at) => !isDropped[at] && nearest[at] >= 0);
  assert.deepEqual(valuesOf(chosen.below, 'resemblance'), by(left).reverse().slice(0, MAX_SHOWN.misses));
  assert.equal(
    chosen.counts.reduce((sum, count) => sum + count),
    nearest.length - 1,
  );
});

exhaustive('a report of many long texts has a bounded size, and says what it leaves out', () => {
  const pick = random(9);
  const words = (count) => Array.from({ length: count }, () => `word${pick(1e6)}`).join(' ');
  const selection = select(many());
  // To compare texts that have no word in common takes longest.
  const [common, end] = [words(2900), () => words(100)];
  const texts = new Map(
    [...selection.wanted].map((at) => [at, { name: `${at}`, text: at % 50 ? `${common} ${end()}` : words(3000) }]),
  );
  const html = reportHtml({ ...selection, texts, scheme: 's1', minResemblance: 0.67, names: [], short: 0, few: 16 });
  assert.ok(html.length < 8e6, `${html.length}`);
  const document = parsed(html);
  assert.match(textOf(document), /Only the first 20,000 characters of each text are compared here/);
  assert.match(textOf(document), /The texts differ in too many places/);
});

test('two empty texts are identical, and not too different to compare', () => {
  const selection = select({ nearest: [NONE, 0], resemblances: [0, 1], isDropped: [0, 1] });
  const texts = new Map([0, 1].map((at) => [at, { name: `${at}`, text: '' }]));
  const html = reportHtml({ ...selection, texts, scheme: 's1', minResemblance: 0.67, short: 2, few: 16 });
  const text = textOf(parsed(html));
  assert.match(text, /The texts are identical/);
  assert.doesNotMatch(text, /The texts differ in too many places/);
});

/** The direction of an element by its attribute `dir`, as the HTML standard defines `auto`, or of its nearest ancestor with one. */
function directionOf(node) {
  const dir = node.attrs && attribute(node, 'dir');
  if (dir === undefined) return node.parentNode ? directionOf(node.parentNode) : 'ltr';
  if (dir !== 'auto') return dir;
  const deciding = (inner) => {
    if (inner.nodeName === '#text') return inner.value;
    if (inner !== node && (inner.tagName === 'bdi' || attribute(inner, 'dir') !== undefined)) return '';
    return inner.childNodes.map(deciding).join('');
  };
  return /^\p{Script=Arabic}/u.test(/\p{L}/u.exec(deciding(node))?.[0] ?? '') ? 'rtl' : 'ltr';
}

test('a text has its own direction, and the note in place of its equal parts has the direction of the language', () => {
  const words = (word) => `${word} `.repeat(120);
  const texts = {
    rtl: `${words('\u0627\u0644\u0646\u0647\u0631')}\u0642\u062f\u064a\u0645 ${words('\u0627\u0644\u062c\u0633\u0631')}`,
    ltr: `${words('river')}old ${words('bridge')}`,
  };
  for (const [direction, text] of Object.entries(texts)) {
    const changed = text.replace(
      /\u0642\u062f\u064a\u0645|old/,
      direction === 'rtl' ? '\u062c\u062f\u064a\u062f' : 'new',
    );
    const selection = select({ nearest: [NONE, 0], resemblances: [0, 0.9], isDropped: [0, 1] });
    const named = new Map([text, changed].map((text, at) => [at, { name: `${at}`, text }]));
    for (const language of ['en', 'zh']) {
      const data = { ...selection, texts: named, scheme: 's1', minResemblance: 0.67, short: 0, few: 16 };
      const document = parsed(reportHtml(data, language));
      const sides = withClass(document, 'p', 'text');
      assert.ok(sides.length >= 2);
      assert.deepEqual(new Set(sides.map(directionOf)), new Set([direction]));
      for (const side of sides) assert.deepEqual(withClass(side, 'span', 'gap').map(directionOf), ['ltr', 'ltr']);
    }
  }
});

exhaustive('ids of megabytes are cut in the report and in messages, and whole in the output', () => {
  const long = 'x'.repeat(2 << 20);
  const rows = [river, river.replace('Tuesday', 'Friday'), `${river} ${river.replace(/ (?=[a-z])/g, ' other')}`].map(
    (text, at) => ({
      id: `${at}${long}`,
      text,
    }),
  );
  write('ids.jsonl', `${jsonLines(rows)}${jsonLines([{ id: long }, { id: long, text: { [long]: long } }])}`);
  write('ids.tsv', `0${long}\t1${long}\tmaybe\n`);
  const dedupe = run(['dedupe', '--report-html', 'ids.html', 'ids.jsonl']);
  assert.deepEqual([dedupe.status, dedupe.stdout], [2, jsonLines([rows[0], rows[2]])]);
  const html = read('ids.html');
  assert.ok(html.length < 50_000, `${html.length}`);
  assert.match(html, /<bdi class="name">1x{199}…(?: \(ids\.jsonl:2\))?<\/bdi>/);
  const calibrate = run(['calibrate', 'ids.jsonl']);
  assert.ok(calibrate.stdout.length < 20_000, `${calibrate.stdout.length}`);
  const labelled = run(['calibrate', '--labels', 'ids.tsv', 'ids.jsonl']);
  for (const { status, stderr } of [dedupe, calibrate, labelled]) {
    assert.equal(status, 2);
    assert.ok(stderr.length > 0 && stderr.length < 2000, stderr.slice(0, 3000));
  }
});
