// Families of texts, pages and inputs of the command line that are built to be slow, each a function of the size, and the fit of an exponent.
import { randomFrom } from './common.mjs';

const random = randomFrom(5);
const from = (first, count) => String.fromCodePoint(first + Math.floor(count * random()));
const repeat = (piece) => (size) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const each = (make) => (size) => {
  const all = [];
  for (let length = 0; length < size; length += all.at(-1).length) all.push(make(all.length));
  return all.join('');
};

export const texts = {
  'one letter': repeat('a'),
  'one word': repeat('a '),
  'two words': repeat('a b '),
  spaces: repeat(' '),
  'line feeds': repeat('\n'),
  'numbered words': each((at) => `w${at} `),
  'random words': each(() => `${random().toString(36).slice(2)} `),
  'random letters': each(() => from(97, 26)),
  'one Han character': repeat('的'),
  'random Han': each(() => from(0x4e00, 20_000)),
  'random Hangul': each(() => from(0xac00, 11_172)),
  'random kana': each(() => from(0x3041, 180)),
  'random Thai': each(() => from(0xe01, 58)),
  'random Arabic': each(() => from(0x621, 40)),
  emoji: each(() => from(0x1f300, 300)),
  'emoji joined': repeat('👩\u200d'),
  'flags without an end': repeat('🇩'),
  'marks on one letter': repeat('\u0301'),
  'marks in the wrong order': repeat('\u0301\u0316'),
  'random marks': each(() => from(0x300, 112)),
  'Hangul letters': repeat('\u1100\u1161\u11a8'),
  'decompositions of 18 characters': repeat('\ufdfa'),
  apostrophes: repeat("a'"),
  'full stops': repeat('a.'),
  underscores: repeat('_'),
  digits: repeat('0'),
  'digits and commas': repeat('1,'),
  'lone surrogates': repeat('\ud800'),
  'byte order marks': repeat('\ufeff'),
  'zero width joiners': repeat('\u200d'),
  'case foldings': repeat('ẞİŉ'),
  'mixed scripts': each((at) => [from(97, 26), from(0x4e00, 20_000), from(0x3041, 80), ' '][at % 4]),
};
export const pages = {
  'nested elements': repeat('<div>'),
  'nested tables': repeat('<table>'),
  'paragraphs in a table': (size) => `<table>${repeat('<p>x')(size)}`,
  'formatting reopened': each((at) => `<p><b id=${at}>x`),
  'formatting in the wrong order': each((at) => `<b id=${at}><p>x</b>`),
  attributes: (size) => `<p ${each((at) => `a${at} `)(size)}>x`,
  'distinct fonts': each((at) => `<font color=c${at}>x</font>`),
  'distinct fonts in paragraphs': each((at) => `<p><font color=c${at}>x`),
  'comments without an end': repeat('<!--'),
  templates: repeat('<template>'),
  'named parts': each((at) => `<div class=comment id=ads-${at}><h2>ads ${at}</h2><p>${repeat('word ')(60)}</div>`),
  'hidden parts': each((at) => `<main aria-hidden=true><p style="color:red;display:none">x${at}</p></main>`),
  'a long class': (size) => `<p class="${repeat('has-comment_ ')(size)}">x`,
  'a long id': (size) => `<div id="${repeat('ads-x')(size)}"><h2>${repeat('ads x ')(size)}</h2>x`,
  'a long style': (size) => `<p style="${repeat('display : \\6e /**/;')(size)}">x`,
};

/** Returns a table of one row, after a header with a number and a date. */
const row = (make) => (size) => `id,text,date,n\n1,"${make(size)}",2026-11-28,1\n`;
const object = (make) => (size) => `{"id":1,"text":"Good news","n":${make(size)}}\n`;
const quoted = (make) => (size) => JSON.stringify(make(size));

/** Inputs of the command `dedupe`: its arguments, and the input of a size. */
export const inputs = {
  'a table in a cell': { args: '-f csv', make: row(repeat('\n7,b,2026-11-27,3')) },
  'numbers in a cell': { args: '-f csv', make: row(repeat('\n1,1,1,1')) },
  'line breaks in a cell': { args: '-f csv', make: row(repeat('\r\n')) },
  'doubled quotes in a cell': { args: '-f csv', make: row(repeat('""')) },
  'quotes without an end': { args: '-f csv', make: (size) => `id,text\n1,"${repeat('"",')(size)}` },
  'escaped quotes': { args: '-f csv', make: (size) => `id,text\n1,${repeat('\\"a')(size)}\n` },
  'quotes in fields': { args: '-f csv', make: (size) => `id,text\n1,${repeat(',"a" b')(size)}\n` },
  'blank rows': { args: '-f csv', make: (size) => `id,text\n1,a${repeat('\n')(size)}` },
  'short rows': { args: '-f csv', make: (size) => `id,text\n${repeat('\n1')(size)}` },
  'carriage returns': { args: '-f csv', make: (size) => `id,text\n1,a${repeat('\r')(size)}\n` },
  'a long header': { args: '-f csv', make: (size) => `id,text,"${repeat('a ""b"" ')(size)}"\n1,a,b\n` },
  'many columns': {
    args: '-f csv --annotate --keep-max a1',
    make: (size) => {
      const names = each((at) => `,a${at}`)(size);
      return `id,text${names}\n1,a${names.replaceAll('a', '')}\n`;
    },
  },
  'columns of one name': { args: '-f csv', make: (size) => `id,text${repeat(',a')(size)}\n1,a\n` },
  'a header of quotes': { args: '-f csv', make: (size) => `id,text,"${repeat('""')(size)}\n1,a,b\n` },
  'digits of a rank': { args: '-f csv --keep-max text', make: row((size) => `${repeat('7')(size)}x`) },
  'fractions of a rank': { args: '--keep-max n', make: object(quoted((size) => `1.${repeat('7')(size)}x`)) },
  'signs of a rank': { args: '--keep-min n', make: object(quoted(repeat('+-'))) },
  'spaces of a rank': { args: '--keep-min n', make: object(quoted((size) => `1${repeat(' ')(size)}x`)) },
  'comments of a date': { args: '--keep-min n', make: object(quoted(repeat('('))) },
  'a number of a rank': { args: '--keep-min n', make: object(repeat('7')) },
  'a deep object': { args: '', make: object((size) => repeat('{"a":')(size) + repeat('}')(size / 5)) },
  'a deep array': { args: '-f json', make: (size) => `[${repeat('[')(size)}]` },
  'many members': { args: '--annotate', make: object((size) => `{${each((at) => `"a${at}":1,`)(size)}"b":1}`) },
  'members of one name': {
    args: '--annotate',
    make: (size) => `{${repeat('"text":"a",')(size - (size % 11))}"id":1}\n`,
  },
  'a list of texts': { args: '-t n', make: object((size) => `[${repeat('"a",')(size - (size % 4))}"a"]`) },
  'escapes in a text': { args: '-t n', make: object((size) => `"${repeat('\\u00e9')(size - (size % 6))}"`) },
  'surrogates in a text': { args: '-t n', make: object((size) => `"${repeat('\\ud800')(size - (size % 6))}"`) },
  'backslashes in an array': { args: '-f json', make: (size) => `[{"text":"${repeat('\\')(size)}"}]` },
  'line breaks in an array': { args: '-f json', make: (size) => `[{"text":${repeat(' \n')(size)}"a"}]` },
  'commas in an array': { args: '-f json', make: (size) => `[{"text":"a"}${repeat(',')(size)}]` },
  'numbers in an array': { args: '-f json', make: (size) => `[{"text":"a"}${repeat(',1')(size)}]` },
  'one object in many lines': { args: '', make: repeat('{\n') },
  'bad lines': { args: '', make: repeat('{}\n') },
  'one long line': { args: '-f lines', make: repeat('a ') },
  'blank lines': { args: '-f lines', make: repeat('\r\n') },
  'short lines': { args: '-f lines --annotate', make: repeat('a\n') },
  'a long id': { args: '--annotate', make: (size) => `{"text":"a","id":"${repeat('\\u0001')(size - (size % 6))}"}\n` },
  'a long scope': { args: '--scope-field n', make: object(quoted(repeat('a '))) },
  'ignored numbers': { args: ['--ignore', '\\d+'], make: object(quoted(repeat('1 '))) },
  'pages of declarations': { args: '-f html', make: repeat('<meta charset=') },
  'pages of comments': { args: '-f html', make: repeat('<!-- <meta ') },
  'pages of declarations of XML': { args: '-f html', make: (size) => `<?xml ${repeat('encoding ')(size)}` },
};

/** The slope of a straight line through the logarithms of `[size, cost]`: 1 is linear, 2 is quadratic. */
export function slopeOf(points) {
  const logs = points.map(([size, time]) => [Math.log(size), Math.log(Math.max(time, 1e-5))]);
  const mean = (at) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return above / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
