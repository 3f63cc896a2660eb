// Families of texts and pages that are built to be slow, each a function of the size, and the fit of an exponent.
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

/** The slope of a straight line through the logarithms of `[size, cost]`: 1 is linear, 2 is quadratic. */
export function slopeOf(points) {
  const logs = points.map(([size, time]) => [Math.log(size), Math.log(Math.max(time, 1e-5))]);
  const mean = (at) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return above / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
