// The guess of an encoding. The texts are written in each encoding by inverting the decoder of the platform.
import assert from 'node:assert/strict';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { makeCommandFolder, parseLines } from './command.mjs';
import { random } from './random.mjs';

const { encodingAdvice, guessEncodings } = await importSource('js/node/wrong-bytes.ts');

/** Returns a function that writes texts in an encoding of one or two bytes. */
function encoderOf(label) {
  // In Node 20, windows-1252 is Latin-1 unless it is decoded in parts.
  const decode = (...bytes) => new TextDecoder(label).decode(Uint8Array.from(bytes), { stream: true });
  const bytesOf = new Map();
  for (let byte = 255; byte >= 0; byte--) bytesOf.set(decode(byte), [byte]);
  const isWide = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(label);
  for (let lead = 0x81; isWide && lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) {
      const unit = decode(lead, trail);
      if ([...unit].length === 1 && unit !== '\ufffd' && !bytesOf.has(unit)) bytesOf.set(unit, [lead, trail]);
    }
  return (text) => {
    const bytes = Buffer.from([...text].flatMap((unit) => bytesOf.get(unit) ?? [63]));
    assert.equal(decode(...bytes), text, label);
    return bytes;
  };
}

const russian =
  'Совет города объявил во вторник, что жители нижнего квартала должны покинуть свои дома, потому что дамба не выдержит.';
const french =
  'La municipalité a annoncé mardi que les habitants doivent quitter leurs maisons, où la digue a cédé déjà à côté du château; ' +
  'cela s’était passé l’été dernier à Noël, près du théâtre, où le café est fermé.';
const polish =
  'Rada miasta ogłosiła, że mieszkańcy dolnej dzielnicy muszą opuścić swoje domy, ponieważ wał nie wytrzyma kolejnej nocy. ' +
  'Most też będzie zamknięty, a łódki są już pełne, mówią strażacy; wciąż pada, śnieg też.';

/** Texts, the encodings in which they are recognised, and others. */
const sure = [
  [russian, 'windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
  ['Міська рада оголосила у вівторок, що мешканці мають залишити свої оселі, бо дамба не витримає.', 'windows-1251'],
  ['Градският съвет обяви, че жителите на долния квартал трябва да напуснат домовете си.', 'windows-1251', 'koi8-r'],
  [
    'Ο δήμος ανακοίνωσε την Τρίτη ότι οι κάτοικοι της κάτω συνοικίας πρέπει να εγκαταλείψουν τα σπίτια τους.',
    'windows-1253',
  ],
  ['העירייה הודיעה ביום שלישי כי תושבי הרובע חייבים לעזוב את בתיהם', 'windows-1255'],
  ['أعلن مجلس المدينة يوم الثلاثاء أن سكان الحي السفلي يجب أن يغادروا منازلهم', 'windows-1256'],
  ['เทศบาลประกาศเมื่อวันอังคารว่าชาวบ้านต้องออกจากบ้านของตน', 'windows-874'],
  [
    '市は火曜日に、堤防がもう一晩の雨に耐えられないため、住民は家を離れなければならないと発表しました。',
    'shift_jis',
    'euc-jp',
  ],
  ['市政府星期二宣布，下城区的居民必须离开他们的家，因为大坝不能再承受一夜的雨水。', 'gb18030'],
  ['市政府星期二宣布，下城區的居民必須離開他們的家，因為大壩不能再承受一夜的雨水。', 'big5'],
  ['시는 화요일에 제방이 또 하룻밤의 비를 견딜 수 없기 때문에 주민들은 집을 떠나야 한다고 발표했다.', 'euc-kr'],
  [french.repeat(2), 'windows-1252'],
  [polish.repeat(2), 'windows-1250'],
];

test('a text of a language is recognised in each of its encodings', () => {
  for (const [text, ...labels] of sure)
    for (const label of labels) assert.deepEqual(guessEncodings(encoderOf(label)(text)), [label], text);
  const wide = Buffer.from(`${sure[9][0]}\n第 12 天 2026\n`, 'utf16le');
  assert.match(encodingAdvice(wide), /^they look like utf-16le: --encoding utf-16le reads them$/);
  assert.match(encodingAdvice(Buffer.from(wide).swap16()), /^they look like utf-16be: /);
});

test('two encodings are named, or the usual two, where none is sure', () => {
  const german = encoderOf('windows-1252')(
    'Die Straße über den Fluß bleibt für Fußgänger geöffnet, schließt aber früh und später.',
  );
  assert.deepEqual(guessEncodings(german), ['windows-1252', 'windows-1250']);
  assert.equal(guessEncodings(encoderOf('windows-1251')('Иван Пётр')).length, 2);
  // Of capitals, another encoding makes small letters.
  assert.deepEqual(guessEncodings(encoderOf('koi8-r')(russian.toUpperCase())).length, 2);
  // Letters that windows-1251 has in the same places, except for capitals and я.
  assert.notEqual(guessEncodings(encoderOf('x-mac-cyrillic')(russian)).length, 1);
  const usual = '--encoding names another encoding, such as windows-1252 or windows-1251';
  const damaged = Buffer.from(russian.repeat(3));
  for (let at = 10; at < damaged.length; at += 40) damaged[at] = 0xff;
  const below = random(1);
  const noise = (from) => Buffer.from(Array.from({ length: 500 }, () => from + below(256 - from)));
  for (const bytes of [
    damaged,
    Buffer.of(0xff),
    Buffer.from('caf\xe9', 'latin1'),
    noise(1),
    noise(128),
    Buffer.alloc(0),
  ])
    assert.equal(encodingAdvice(bytes), usual);
});

test('a guess is never wrong where it is sure: texts that are cut, joined and in other encodings', () => {
  const below = random(2);
  for (const [text, ...labels] of [...sure, [russian.toUpperCase(), 'windows-1251', 'koi8-r', 'ibm866']])
    for (const label of labels) {
      const encode = encoderOf(label);
      for (let trial = 0; trial < 40; trial++) {
        const start = below(text.length);
        const words = text.slice(start, start + 5 + below(text.length)).split(' ');
        const guesses = guessEncodings(encode(words.filter(() => below(4) > 0).join(' ')));
        if (guesses.length === 1) assert.equal(guesses[0], label, words.join(' '));
      }
    }
});

test('the messages of each format name the encoding, and it reads the file', () => {
  const command = makeCommandFolder();
  const encode = encoderOf('windows-1251');
  const texts = [russian, russian.split(' ').reverse().join(' ')];
  const looks = 'the bytes are not valid UTF-8; they look like windows-1251: --encoding windows-1251 reads them';
  for (const [name, content, place] of [
    ['a.jsonl', texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(''), 'a.jsonl:1'],
    ['a.json', JSON.stringify(texts.map((text, id) => ({ id, text }))), 'a.json[0]'],
    ['a.csv', `id,text\n${texts.map((text, id) => `${id},"${text}"\n`).join('')}`, 'a.csv:2'],
    ['a.txt', texts[0], 'a.txt'],
    ['a.html', `<p>${texts[0]}`, 'a.html'],
  ]) {
    command.write(name, encode(content));
    for (const threads of [1, 2]) {
      const { status, stderr } = command.run(['dedupe', '-q', '--threads', threads, name]);
      assert.deepEqual([status, stderr.split('\n')[0]], [2, `nearprint: ${place}: ${looks}`]);
    }
    const read = command.run(['hash', '--jsonl', '--encoding', 'windows-1251', name]);
    if (/json/.test(name)) assert.equal(parseLines(read.stdout).length, 2);
  }
  command.fail(['hash', 'a.txt'], `a.txt: ${looks}`);
  command.fail(['compare', 'a.txt', 'a.txt'], `a.txt: ${looks}`);
  command.fail('dedupe', /^nearprint: stdin: .* Its bytes are not UTF-8; they look like windows-1251: /, {
    input: encode(texts.map((text) => `${text}\n`).join('')),
  });
});
