// Which files are read, and in which order. The oracles are the files that are made here.
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { random } from './random.mjs';
import { valuesOf } from './values.mjs';

const { bytesOf, pathOf } = await importSource('js/cli/path.ts');
const { inReadingOrder } = await importSource('js/cli/file-order.ts');

/** Writes the texts of seeds to files. Returns a folder where commands run. */
function folderWith(files) {
  const command = makeCommandFolder();
  for (const [name, seed] of Object.entries(files)) command.write(name, `${textOf(seed)}\n`);
  return command;
}

const listOf = (paths) => paths.map((path) => `${path}\n`).join('');

const isWindows = process.platform === 'win32';

test('a file is read once, whatever paths lead to it', { skip: isWindows }, () => {
  const command = folderWith({ 'pics/a.txt': 1, 'pics/b.txt': 2, 'copy.txt': 1 });
  symlinkSync('pics', command.path('link'));
  symlinkSync('.', command.path('pics/loop'));
  symlinkSync('pics/a.txt', command.path('soft.txt'));
  linkSync(command.path('pics/b.txt'), command.path('hard.txt'));
  command.write('list', 'pics/a.txt\n./pics/a.txt\nlink/b.txt\n');
  const absolute = command.path('pics/a.txt');
  const [a, b] = ['pics/a.txt', 'pics/b.txt'];
  for (const [args, kept, repeated] of [
    [['pics'], [a, b], []],
    [[a, a], [a], [[a, a]]],
    [
      ['pics', './pics'],
      [a, b],
      [
        [a, a],
        [b, b],
      ],
    ],
    [
      ['pics', 'link'],
      [a, b],
      [
        ['link/a.txt', a],
        ['link/b.txt', b],
      ],
    ],
    [
      ['link', 'pics'],
      ['link/a.txt', 'link/b.txt'],
      [
        [a, 'link/a.txt'],
        [b, 'link/b.txt'],
      ],
    ],
    [[a, absolute], [a], [[absolute, a]]],
    [[`./${a}`, `pics/loop/../pics/../pics/a.txt`], [`./${a}`], [['pics/loop/../pics/../pics/a.txt', `./${a}`]]],
    // A link is not read in place of its file.
    [['soft.txt', a], [a], [['soft.txt', a]]],
    [['soft.txt', 'soft.txt'], ['soft.txt'], [['soft.txt', 'soft.txt']]],
    [['hard.txt', b], ['hard.txt'], [[b, 'hard.txt']]],
    [['pics/*.txt', '**/a.txt'], [a, b], [[a, a]]],
    [
      ['pics/**', 'pics'],
      [a, b],
      [
        [a, a],
        [b, b],
      ],
    ],
    [
      ['--files-from', 'list', b],
      [b, a],
      [
        ['./pics/a.txt', a],
        ['link/b.txt', b],
      ],
    ],
  ]) {
    const { status, stdout, stderr } = command.run(['dedupe', '--report', 'r', '--json-summary', 's', ...args]);
    assert.deepEqual([status, stdout], [0, listOf(kept)], `${args}: ${stderr}`);
    assert.deepEqual(
      parseLines(command.read('r')),
      repeated.map(([id, readAs]) => ({ id, status: 'repeated', readAs })),
    );
    assert.equal(JSON.parse(command.read('s')).repeatedPaths, repeated.length);
    const message = {
      0: /^(?!.*same file)/s,
      1: /^nearprint: 1 path is not read, since another one leads to the same file: /m,
    };
    assert.match(
      stderr,
      message[repeated.length] ?? /^nearprint: 2 paths are not read, since others lead to the same files, such as /m,
    );
    assert.equal(command.outputOf(['dedupe', '-q', '-v', ...args]), '');
  }
  assert.equal(command.outputOf(['dedupe', '-q', '-v', '.', absolute]), 'pics/a.txt\n');
});

test('a file that --against names is not read as input', { skip: isWindows }, () => {
  const command = folderWith({ 'pics/a.txt': 1, 'b.txt': 2, 'c.txt': 1 });
  linkSync(command.path('pics/a.txt'), command.path('hard.txt'));
  command.run(['dedupe', '--index', 'a.idx', 'c.txt']);
  const reference = (id, readAs) => ({ id, status: 'reference', readAs });
  for (const [args, kept, rows] of [
    [
      ['--against', 'pics', '.'],
      ['b.txt'],
      [reference('hard.txt', 'pics/a.txt'), reference('pics/a.txt', 'pics/a.txt')],
    ],
    [['--against', 'hard.txt', '--against', 'pics', 'pics'], [], [reference('pics/a.txt', 'hard.txt')]],
    [['--against', 'a.idx', '--against', './a.idx', 'b.txt', 'a.idx'], ['b.txt'], [reference('a.idx', 'a.idx')]],
    [
      ['--against', '.', '.'],
      [],
      ['b.txt', 'c.txt', 'hard.txt', 'pics/a.txt'].map((path) =>
        reference(path, path === 'pics/a.txt' ? 'hard.txt' : path),
      ),
    ],
  ]) {
    const { status, stdout, stderr } = command.run(['dedupe', '--report', 'r', '--json-summary', 's', ...args]);
    assert.deepEqual([status, stdout], [0, listOf(kept)], stderr);
    const found = parseLines(command.read('r')).filter(({ status }) => status === 'reference');
    assert.deepEqual(found, rows);
    assert.equal(JSON.parse(command.read('s')).repeatedPaths, rows.length);
    assert.match(stderr, /^nearprint: (1 path leads to a file|\d paths lead to files) of --against, .*$/m);
    assert.ok(!command.run(['dedupe', '-q', '-v', ...args]).stdout.includes('pics/a.txt'));
  }
});

test('random trees of links: each file is decided once', { skip: isWindows }, () => {
  const below = random(60);
  for (let round = 0; round < 6; round++) {
    const command = makeCommandFolder();
    /** The files by their numbers, each with the paths that lead to it. */
    const paths = [];
    const folders = ['.', 'a', 'a/b', 'c'];
    for (const folder of folders) mkdirSync(command.path(folder), { recursive: true });
    for (let at = 0; at < 20; at++) {
      const name = join(folders[below(folders.length)], `${at}.txt`);
      const file = paths.length > 0 && below(2) > 0 ? paths[below(paths.length)] : undefined;
      if (file === undefined) {
        paths.push([name]);
        command.write(name, textOf(100 * round + at));
      } else {
        if (below(2) > 0) symlinkSync(command.path(file[0]), command.path(name));
        else linkSync(command.path(file[0]), command.path(name));
        file.push(name);
      }
    }
    const args = Array.from({ length: 3 }, () => folders[below(folders.length)]);
    const inside = (path) => args.some((folder) => folder === '.' || path.startsWith(`${folder}/`));
    const read = paths.map((file) => file.filter(inside)).filter((file) => file.length > 0);
    const found = command
      .outputOf(['dedupe', '-q', ...args])
      .split('\n')
      .slice(0, -1);
    assert.deepEqual(
      found.map((path) => read.findIndex((file) => file.includes(path))).sort(),
      read.map((_, at) => at).sort(),
    );
    assert.equal(command.outputOf(['dedupe', '-q', '-v', ...args]), '');
    assert.equal(command.outputOf(['clusters', '-q', ...args]), '');
  }
});

test('the commands that read documents read a file once, and hash and compare take each argument', {
  skip: isWindows,
}, () => {
  const command = makeCommandFolder();
  const documents = [1, 2, 3].map((id) => ({ id, text: textOf(id) }));
  command.write('a.jsonl', jsonLines(documents));
  symlinkSync('a.jsonl', command.path('b.jsonl'));
  command.write('a.txt', textOf(1));
  const message = /^nearprint: 1 path is not read, .*: b\.jsonl \(read as a\.jsonl\)$/m;
  const clusters = command.run('clusters a.jsonl b.jsonl');
  assert.equal(clusters.stdout, '');
  assert.match(clusters.stderr, message);
  const calibrated = command.run('calibrate --json a.jsonl b.jsonl');
  assert.equal(JSON.parse(calibrated.stdout).documents, 3);
  assert.match(calibrated.stderr, message);
  const text = command.run('text a.jsonl b.jsonl');
  assert.equal(text.stdout.match(/^==> /gm).length, 3);
  assert.match(text.stderr, message);
  // A table is read twice if ids may repeat in it.
  command.write('t.csv', `id,text\n1,${textOf(1)}\n1,${textOf(2)}\n`);
  assert.equal(command.outputOf('dedupe --annotate -q t.csv ./t.csv').split('\n').length, 4);
  assert.equal(command.outputOf('hash a.txt ./a.txt').split('\n').length, 3);
  assert.equal(command.outputOf('hash --jsonl a.jsonl b.jsonl').split('\n').length, 7);
  assert.match(command.outputOf('compare a.txt a.txt'), /^near-duplicates/);
  assert.equal(command.outputOf('dedupe - -', { input: jsonLines(documents) }), jsonLines(documents));
});

test('the order of the files of a folder', () => {
  const below = random(12);
  // Each list is in the order in which it is read.
  for (const names of [
    [
      'note.txt',
      'Copy of note.txt',
      'note (2).txt',
      'note - Copy.txt',
      'note - Copy (2).txt',
      'note copy.txt',
      'note2.txt',
    ],
    ['a.txt', 'Copy of a.txt', 'a (1).txt', 'a - Copy.txt'],
    ['note.txt', 'copy of note.md', 'Copy of Copy of note.txt', 'notebook.txt'],
    ['note.md', 'note.txt', 'Copy (2) of note.md', 'Copy of note.md', 'note_1.html'],
    ['note', 'note.html', 'note.txt.gz', 'note/', 'Copy of note/', 'note (1)/'],
    ['page.html.gz', 'page.html (1).gz', 'page.old.html'],
    ['Zebra.txt', 'apple.txt', 'Äpfel.txt'],
    ['10.txt', '9.txt', 'Mr. Smith', 'Mr. Smith.txt', 'Mr. Smithson'],
    ['Brief.txt', 'Kopie von Brief.txt', 'Brief - Kopie.txt'],
    ['lettre.txt', 'Copie de lettre.txt', 'lettre - Copie.txt'],
    ['carta.txt', 'Copia de carta.txt', 'carta - copia.txt'],
    ['carta.txt', 'Cópia de carta.txt'],
    ['lettera.txt', 'Copia (2) di lettera.txt', 'Copia di lettera.txt'],
    ['brev.txt', 'Kopi av brev.txt', 'Kopia av brev.txt'],
    ['письмо.txt', 'Копия письмо.txt', 'письмо — копия.txt'],
    ['手紙.txt', 'コピー ～ 手紙.txt'],
    ['信.txt', '复件 信.txt', '信 - 副本.txt'],
    // A name that is only a mark is a name.
    ['Copy of.txt', 'Copying.txt', 'copy.txt'],
    // By UTF-16 code units: U+1F600 is D83D DE00.
    ['a\u{1f600}.txt', 'a\uff5e.txt'],
  ]) {
    const entries = names.map((name) => ({ name: name.replace('/', ''), isFolder: name.endsWith('/') }));
    for (let round = 0; round < 10; round++) {
      const shuffled = entries.map((entry) => ({ entry, key: below(1000) })).sort((a, b) => a.key - b.key);
      const sorted = inReadingOrder(shuffled.map(({ entry }) => entry));
      assert.deepEqual(
        sorted.map(({ name, isFolder }) => name + (isFolder ? '/' : '')),
        names,
      );
    }
  }
});

test('an original is read before its copies in folders, subfolders and patterns', () => {
  const names = ['a.txt', 'Copy of a.txt', 'a (1).txt', 'a - Copy.txt'];
  const command = folderWith(
    Object.fromEntries(['c', 'c/sub'].flatMap((folder) => names.map((name) => [`${folder}/${name}`, 1]))),
  );
  const under = (folder) => names.map((name) => `${folder}/${name}`);
  for (const [args, paths] of [
    [['c'], [...under('c'), ...under('c/sub')]],
    [['c/*'], under('c')],
    [['c/**/*.txt'], [...under('c'), ...under('c/sub')]],
    [['c/s*/*a*'], under('c/sub')],
    // Arguments are read in their order.
    [
      ['c/a - Copy.txt', 'c/a.txt'],
      ['c/a - Copy.txt', 'c/a.txt'],
    ],
  ]) {
    assert.equal(command.outputOf(['dedupe', '-q', ...args]), listOf(paths.slice(0, 1)));
    assert.equal(command.outputOf(['dedupe', '-q', '-v', ...args]), listOf(paths.slice(1)));
  }
});

test('a path of a folder begins with no hyphen, which a program would take for an option', () => {
  const command = folderWith({ '-rf.txt': 1, 'b.txt': 2 });
  const own = isWindows ? '.\\-rf.txt' : './-rf.txt';
  for (const args of ['.', '*.txt', './*.txt'])
    assert.equal(command.outputOf(['dedupe', '-q', args]), listOf([own, 'b.txt']));
});

test('paths that are not UTF-8 keep their bytes as strings', () => {
  for (const [hex, path] of [
    ['61', 'a'],
    ['4ae4727669', 'J\udce4rvi'],
    ['4ac3a4', 'Jä'],
    ['ff80', '\udcff\udc80'],
    // An incomplete character, an overlong one, a surrogate, and a code point above U+10FFFF.
    ['e282', '\udce2\udc82'],
    ['c0af', '\udcc0\udcaf'],
    ['edb3a4', '\udced\udcb3\udca4'],
    ['f4908080', '\udcf4\udc90\udc80\udc80'],
    ['f09f9880e4', '\u{1f600}\udce4'],
    ['efbfbdc3', '\ufffd\udcc3'],
  ]) {
    assert.equal(pathOf(Buffer.from(hex, 'hex')), path);
    assert.equal(bytesOf(path).toString('hex'), hex);
  }
  const below = random(13);
  const bytes = [0x41, 0x80, 0xa0, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff];
  const found = new Set();
  const all = new Set();
  for (let round = 0; round < 20_000; round++) {
    const name = Buffer.from(Array.from({ length: 1 + below(5) }, () => bytes[below(bytes.length)]));
    assert.deepEqual(bytesOf(pathOf(name)), name);
    all.add(name.toString('hex'));
    found.add(pathOf(name));
  }
  assert.equal(found.size, all.size);
});

/** Returns a path in a folder as bytes. */
const inFolder = ({ folder }, name) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);

// Elsewhere the system takes no such names.
test('names that are not UTF-8 are read, and written as they are', { skip: process.platform !== 'linux' }, () => {
  const command = makeCommandFolder();
  mkdirSync(command.path('l'));
  mkdirSync(inFolder(command, 'l/\xe9t\xe9'));
  const files = {
    'l/J\xe4rvi.txt': 1,
    'l/J\xe5rvi.txt': 2,
    'l/J\xe5rvi (2).txt': 1,
    'l/\xe9t\xe9/a.txt': 3,
    'l/\xe9t\xe9/b.txt': 1,
  };
  for (const [name, seed] of Object.entries(files)) writeFileSync(inFolder(command, name), textOf(seed));
  const kept = 'l/J\xe4rvi.txt\nl/J\xe5rvi.txt\nl/\xe9t\xe9/a.txt\n';
  const dropped = 'l/J\xe5rvi (2).txt\nl/\xe9t\xe9/b.txt\n';
  /** Runs a line of a shell, whose output is the same bytes as `expected`. */
  const writes = (line, expected) => {
    const { status, stdout, stderr } = command.shell(`${line} | od -An -v -tx1 | tr -d ' \\n'`);
    assert.deepEqual([status, Buffer.from(stdout, 'hex').toString('latin1')], [0, expected], `${line}: ${stderr}`);
  };
  const sorted = 'LC_ALL=C sort';
  writes('nearprint dedupe -q l', 'l/J\xe4rvi.txt\nl/J\xe5rvi.txt\nl/\xe9t\xe9/a.txt\n');
  writes('nearprint dedupe -q -v l', dropped);
  writes("nearprint dedupe -q 'l/**'", kept);
  writes("nearprint dedupe -q -v 'l/J*' l", dropped);
  writes('nearprint dedupe -q l/J*.txt', 'l/J\xe4rvi.txt\nl/J\xe5rvi.txt\n');
  writes(
    `find l -type f | ${sorted} | nearprint dedupe -q --files-from -`,
    'l/J\xe4rvi.txt\nl/J\xe5rvi.txt\nl/\xe9t\xe9/a.txt\n',
  );
  writes('find l -print0 | nearprint dedupe -q -0 --files-from -', kept.replaceAll('\n', '\0'));
  writes("nearprint hash l/J*i.txt | cut -d ' ' -f 3", 'l/J\xe4rvi.txt\nl/J\xe5rvi.txt\n');
  writes("nearprint text l/?t?/ | grep -a '^==>'", '==> l/\xe9t\xe9/a.txt <==\n==> l/\xe9t\xe9/b.txt <==\n');
  // In JSON, a byte that is not UTF-8 is the escape of U+DC00 and the byte.
  const names = (name) => JSON.stringify(pathOf(Buffer.from(name, 'latin1')));
  const { stdout } = command.shell('nearprint dedupe -q --report r l/ > /dev/null; cat r');
  assert.match(stdout, /^\{"id":"l\/J\\udce5rvi \(2\)\.txt","status":"duplicate","duplicateOf":"l\/J\\udce4rvi\.txt",/);
  assert.equal(stdout.split('"id":')[2].split(',')[0], names('l/\xe9t\xe9/b.txt'));
  assert.match(command.outputOf('dedupe -q --annotate l'), /^\{"id":"l\/J\\udce4rvi\.txt","status":"new"/);
  assert.match(command.outputOf('clusters -q l'), /^\{"size":3,"representative":"l\/J\\udce4rvi\.txt"/);
  // The names are different ids.
  command.outputOf('dedupe --index l.idx l');
  assert.equal(command.indexOf('l.idx').size, 3);
  assert.equal(command.outputOf('dedupe --index l.idx l'), '');
  writes('nearprint dedupe -q --against l/J?rvi.txt l', 'l/J\xe5rvi.txt\nl/\xe9t\xe9/a.txt\n');
  assert.equal(command.shell('nearprint compare l/J*rvi.txt').status, 1);
  const noIndex = command.shell("nearprint dedupe --index $'l/\\xe4.idx' l");
  assert.deepEqual([noIndex.status, noIndex.stderr], [2, 'nearprint: --index must be a path in UTF-8\n']);
});

test('names with line feeds, and --null', { skip: isWindows }, () => {
  const command = folderWith({ 'l/a.txt': 1, 'l/b\nc.txt': 1, 'l/d\ne.txt': 2, 'l/f.txt': 2, 'l/g.txt': 2 });
  const isRefused = /^nearprint: l\/b c\.txt: the path has a line feed, .* --null \(-0\) ends paths with NUL$/m;
  // What is not written is no original: its copy is kept.
  for (const [args, stdout] of [
    ['dedupe l', 'l/a.txt\nl/f.txt\n'],
    ['dedupe -v l', 'l/g.txt\n'],
  ])
    command.fail(args, isRefused, { stdout });
  for (const option of ['-0', '--null']) {
    assert.equal(command.outputOf(['dedupe', '-q', option, 'l']), 'l/a.txt\0l/d\ne.txt\0');
    assert.equal(command.outputOf(['dedupe', '-q', '-v', option, 'l']), 'l/b\nc.txt\0l/f.txt\0l/g.txt\0');
  }
  assert.equal(command.outputOf('dedupe -q -0 --files-from -', { input: 'l/d\ne.txt\0l/g.txt\0' }), 'l/d\ne.txt\0');
  assert.match(command.outputOf('dedupe -q --count l'), /^documents\t5$/m);
  assert.deepEqual(parseLines(command.outputOf('dedupe -q --annotate l'))[1].id, 'l/b\nc.txt');
  assert.equal(JSON.parse(command.outputOf('clusters -q l').split('\n')[1]).size, 2);
  const listed = command.shell('nearprint dedupe -q -v -0 l | xargs -0 rm -- && find l -type f | wc -l');
  assert.deepEqual([listed.status, listed.stdout.trim()], [0, '3'], listed.stderr);

  command.write('a.jsonl', jsonLines([{ id: 1, text: textOf(1) }]));
  const noLines =
    'a.jsonl: its lines cannot be written with --null (-0), which is for the paths of text and HTML files';
  command.fail('dedupe -0 a.jsonl', noLines);
  for (const option of ['--annotate', '--count'])
    command.fail(
      ['dedupe', '-0', option, 'l'],
      new RegExp(`^nearprint: --null cannot be combined with ${option}; see`),
    );
});

test('--keep-min and --keep-max: the time, the size and the path of files', { skip: isWindows }, () => {
  const text = textOf(1);
  const command = makeCommandFolder();
  const files = [
    ['k/a.txt', text, 3000],
    ['k/b.txt', `${text}\n\n`, 1000],
    ['k/c.txt', `${text}\n`, 4000],
    ['k/d.txt', `${text}\n\n\n`, 2000],
    // Times that differ by less than a second, and another text.
    ['k/e.txt', textOf(2), 5000.25],
    ['k/f.txt', textOf(2), 5000.75],
  ];
  for (const [name, content, time] of files) utimesSync(command.path(command.write(name, content)), time, time);
  for (const [args, ...kept] of [
    ['--keep-min mtime', 'b', 'e'],
    ['--keep-max mtime', 'c', 'f'],
    ['--keep-min size', 'a', 'e'],
    ['--keep-max size', 'd', 'e'],
    ['--keep-min path', 'a', 'e'],
    ['--keep-max path', 'd', 'f'],
  ]) {
    const list = listOf(kept.map((name) => `k/${name}.txt`).sort());
    assert.equal(command.outputOf(`dedupe -q ${args} k`), list, args);
    const rows = parseLines(command.outputOf(`dedupe -q --annotate ${args} k`));
    assert.deepEqual(
      rows
        .filter(({ status }) => status === 'new')
        .map(({ id }) => `${id}\n`)
        .join(''),
      list,
    );
  }
  for (const field of ['date', 'toString'])
    command.fail(
      `dedupe --keep-max ${field} k`,
      `--keep-max ${field}: no document has this field; files have mtime, size, path`,
    );
  // Standard input has neither time nor size.
  assert.equal(command.outputOf('dedupe -q -f text --keep-min size - k/a.txt', { input: text }), 'k/a.txt\n');

  // A field of an object is what it says.
  const documents = [
    { id: 1, mtime: 'Sat, 28 Nov 2026 08:51:00 +0100 (CET)', size: 3, path: '2026-01-02' },
    { id: 2, mtime: '2026-11-28T07:50:59Z', size: 2, path: '2026-01-01' },
    { id: 3, mtime: '28 Nov 26 07:51:01 GMT', size: 9, path: '2026-01-03' },
  ].map((document) => ({ ...document, text }));
  for (const [args, id] of [
    ['--keep-min mtime', 2],
    ['--keep-max mtime', 3],
    ['--keep-min size', 2],
    ['--keep-max path', 3],
  ])
    assert.deepEqual(
      valuesOf(parseLines(command.outputOf(`dedupe -q ${args}`, { input: jsonLines(documents) })), 'id'),
      [id],
    );
  const wrong = jsonLines([{ id: 1, mtime: 'Sun, 28 Nov 2026 08:51:00 +0100', text }]);
  command.fail('dedupe --keep-min mtime', /^nearprint: stdin:1: "mtime" \(--keep-min\) must be a number or a date/, {
    input: wrong,
  });
});

test('files that are skipped are named once for each extension', () => {
  const command = folderWith({ 'm/a.txt': 1, 'm/b.rst': 1, 'm/README': 1, 'm/sub/c.RST': 2, 'm/.hidden': 3 });
  for (let at = 0; at < 247; at++) command.write(`m/man/${at}.1${at % 2 === 0 ? '.gz' : ''}`, 'x');
  const [man, rst, none] = [
    ['m/man/0.1.gz', 247, '247 files with the extension .1'],
    ['m/b.rst', 2, '2 files with the extension .rst'],
    ['m/README', 1, '1 file without an extension'],
  ];
  const why = 'another kind of file; --format reads all files';
  const { status, stdout, stderr } = command.run('dedupe m --report r --json-summary s');
  assert.deepEqual([status, stdout], [0, 'm/a.txt\n']);
  const named = stderr.split('\n').filter((line) => line.includes(why));
  assert.deepEqual(named, [
    `nearprint: ${man[2]} not read, such as ${man[0]}: ${why}`,
    `nearprint: ${rst[2]} not read, such as ${rst[0]}: ${why}`,
    `nearprint: ${none[2]} not read: ${none[0]}: ${why}`,
  ]);
  const rows = parseLines(command.read('r')).sort((a, b) => b.files - a.files);
  assert.deepEqual(
    rows,
    [man, rst, none].map(([id, files, subject]) => ({
      id,
      status: 'skipped',
      files,
      message: `${subject} not read: ${why}`,
    })),
  );
  assert.equal(JSON.parse(command.read('s')).filesNotRead, 250);
  assert.equal(command.run('dedupe -q m').stderr, '');
  for (const args of ['clusters m', 'text m', 'dedupe --against m m/a.txt'])
    assert.equal(command.run(args).stderr.match(/another kind of file/g).length, 3, args);

  for (let at = 0; at < 12; at++) command.write(`many/a.x${at}`, 'x');
  const many = command.run('dedupe many');
  assert.equal(many.status, 2);
  assert.equal(many.stderr.match(/with the extension/g).length, 10);
  assert.match(
    many.stderr,
    /^nearprint: many: no file in this folder has a known extension; --format reads all files$/m,
  );
  assert.match(many.stderr, /^nearprint: 2 files with 2 other extensions not read$/m);
  command.fail('dedupe m/*.rst', /^nearprint: no document was read$/m);
});

test('files of another kind or shape are no errors in a folder, and are errors as arguments', () => {
  const command = folderWith({ 'site/index.txt': 1, 'site/z.txt': 2 });
  const index = JSON.stringify({ config: { lang: ['en'] }, docs: [{ location: '', text: textOf(3) }] });
  command.write('site/search/search_index.json', index);
  command.write('site/manifest.json', JSON.stringify({ name: 'site', icons: [] }, null, 2));
  command.write('site/assets/tags.json', JSON.stringify([{ name: 'a' }, { name: 'b' }]));
  command.write('site/long.json', JSON.stringify({ name: 'x'.repeat(1_500_000) }));
  for (let at = 0; at < 30; at++) command.write(`site/data/${at}.json`, jsonLines([{ id: at, text: textOf(at) }]));
  const { status, stdout, stderr } = command.run('dedupe site --report r --json-summary s');
  assert.equal(status, 0, stderr);
  // The first file with documents decides what is written: data/0.json.
  assert.equal(parseLines(stdout).length, 30);
  const messages = stderr.split('\n').filter((line) => line.includes('not read'));
  assert.equal(messages.length, 2, stderr);
  assert.match(
    messages[0],
    /^nearprint: 4 files with the extension \.json not read, such as site\/assets\/tags\.json: its objects have no field "text" \(--text-field\)$/,
  );
  assert.match(
    messages[1],
    /^nearprint: 2 files with the extension \.txt not read, such as site\/index\.txt: its paths cannot be written with the lines of /,
  );
  assert.equal(JSON.parse(command.read('s')).filesNotRead, 6);
  assert.deepEqual(valuesOf(parseLines(command.read('r')), 'status', 'files'), [
    ['skipped', 4],
    ['skipped', 2],
  ]);

  // As arguments, they are.
  for (const [path, message] of [
    ['site/search/search_index.json', /no field "text"/],
    ['site/manifest.json', /an object takes several lines/],
    ['site/assets/tags.json', /no field "text"/],
  ])
    command.fail(['dedupe', path], message);
  const both = command.run('dedupe site/index.txt site/data/1.json');
  assert.deepEqual([both.status, both.stdout], [2, 'site/index.txt\n']);
  // A folder with nothing else is an error.
  command.write('only/search_index.json', index);
  command.fail('dedupe only', /^nearprint: no document was read$/m);
  // What looks like a document counts: lines of which some have a text, and a table without its column.
  command.write('lines/a.json', `{"id":1}\n${jsonLines([{ id: 2, text: textOf(1) }])}`);
  command.fail('dedupe lines', /^nearprint: lines\/a\.json:1: no field "text"/, {
    stdout: jsonLines([{ id: 2, text: textOf(1) }]),
  });
});

test('at most ten files with errors are printed', () => {
  const command = folderWith({ 'e/a.txt': 1 });
  for (let at = 0; at < 40; at++) command.write(`e/${at}.txt.gz`, Buffer.from('1f8b0000', 'hex'));
  for (let at = 0; at < 20; at++) command.write(`e/w${at}.txt`, Buffer.of(0xff));
  const stderr = command.fail('dedupe e --json-summary s --report r', /, 6 of them above$/m, { stdout: 'e/a.txt\n' });
  assert.match(
    stderr,
    /^nearprint: (20 bad lines and 40 files with an error|60 files with an error), 6 of them above$/m,
  );
  assert.equal(parseLines(command.read('r')).length, 60);
  assert.ok(stderr.split('\n').length < 12, stderr);
});

test('--exclude leaves out files and folders, and the summary counts them', { skip: isWindows }, () => {
  const names = [
    'a.txt',
    'b.bak.txt',
    'drafts/c.txt',
    'drafts/old/d.txt',
    'site/drafts.txt',
    'site/drafts/e.txt',
    'site/f.html.txt',
  ];
  const command = folderWith(Object.fromEntries(names.map((name, at) => [`in/${name}`, at + 1])));
  command.write('list', names.map((name) => `in/${name}\n`).join(''));
  command.write('in/notes.doc', 'of another kind');
  const without = (...left) => names.filter((name) => !left.includes(name)).map((name) => `in/${name}`);
  const inDrafts = ['drafts/c.txt', 'drafts/old/d.txt', 'site/drafts/e.txt'];
  for (const [patterns, kept, counts] of [
    [['*.bak.txt'], without('b.bak.txt'), [1, 1]],
    [['drafts'], without(...inDrafts), [2, 3]],
    [['drafts/'], without(...inDrafts), [2, 3]],
    [['./in//drafts'], without('drafts/c.txt', 'drafts/old/d.txt'), [1, 2]],
    [['drafts*'], without(...inDrafts, 'site/drafts.txt'), [3, 4]],
    [['drafts/*.txt'], without('drafts/c.txt', 'site/drafts/e.txt'), [2, 2]],
    [['drafts/**/?.txt'], without(...inDrafts), [3, 3]],
    [['old', '*.html.txt'], without('drafts/old/d.txt', 'site/f.html.txt'), [2, 2]],
    [['in/*.txt'], without('a.txt', 'b.bak.txt'), [2, 2]],
    [['c'], without(), [0, 0]],
    [['in'], [], [1, 7]],
  ]) {
    const options = patterns.flatMap((pattern) => ['--exclude', pattern]);
    for (const [at, args] of [['in'], ['--files-from', 'list']].entries()) {
      const { stdout, stderr, status } = command.run(['dedupe', ...args, ...options, '--json-summary', 's']);
      assert.deepEqual([stdout.split('\n').slice(0, -1).sort(), status], [kept.toSorted(), 0], `${patterns} ${args}`);
      assert.equal(JSON.parse(command.read('s')).excluded, counts[at], `${patterns} ${args}`);
      assert.equal(stderr.includes('by --exclude'), counts[at] > 0, stderr);
    }
  }
  // A pattern of an argument, a reference, and a name of its own.
  const list = (...args) => String(command.run(['dedupe', ...args]).stdout);
  assert.equal(list('in/*.txt', '--exclude', '*.bak.*'), 'in/a.txt\n');
  assert.equal(list('in/a.txt', '--against', 'in', '--exclude', 'in/a.txt'), '');
  assert.equal(list('in/b.bak.txt', '--exclude', '*.bak.txt'), '');
  for (const pattern of ['', '/', './']) {
    const { stderr, status } = command.run(['dedupe', 'in', '--exclude', pattern]);
    assert.match(stderr, /--exclude must be a pattern of paths, such as \*\.bak or drafts, got /);
    assert.equal(status, 2);
  }
});
