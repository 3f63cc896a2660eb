// A thousand forms of HTML pages: the same words in the many ways in which valid and invalid pages are written.

const main =
  'The river burst its banks early on Tuesday, and the council closed both bridges until the water fell again.';
const other =
  'Residents of the lower town carried furniture upstairs, said the mayor, who had seen nothing like it before.';

/** Ways to write two passages. */
const contents = [
  (a, b) => `<p>${a}</p><p>${b}</p>`,
  (a, b) => `<p>${a}<p>${b}`,
  (a, b) => `${a}<br>${b}`,
  (a, b) => `<div><div><p>${a}</div>${b}</div>`,
  (a, b) => `<ul><li>${a}<li>${b}</ul>`,
  (a, b) => `<dl><dt>${a}<dd>${b}</dl>`,
  (a, b) => `<table><tr><td>${a}<td>${b}</table>`,
  (a, b) => `<table>${a}<tr><td>${b}</td></tr></table>`,
  (a, b) => `<main><article><h1>${a}</h1><section>${b}</section></article></main>`,
  (a, b) => `<b><p>${a}</b>${b}</p>`,
  (a, b) => `<a href="/"><div>${a}</a>${b}</div>`,
  (a, b) => `<p title="a > b <body>">${a}</p><p class='<script>'>${b}</p>`,
  (a, b) => `<p>${a.replaceAll(' ', '&#x20;')}</p><p>${b.replaceAll(',', '&comma;').replaceAll('t', '&#116;')}</p>`,
  (a, b) => `<pre>\n${a}</pre><textarea>${b}</textarea>`,
  (a, b) => `<select><option>x</select><span>${a}</span> <i>${b}`,
  (a, b) => `<form action=/><fieldset><legend>${a}</legend>${b}</form>`,
  (a, b) => `<svg><title>x</title><text>${a}</text></svg><p>${b}</p>`,
  (a, b) => `<p>${a}</p><math><mi>x</mi></math>${b}`,
  (a, b) => `<center><font size=2>${a}</font><hr>${b}</center>`,
  (a, b) => `<custom-element>${a}</custom-element><p>${b}</p>`,
];
/** Documents around the passages. */
const arounds = [
  (content) => content,
  (content) => `<body>${content}`,
  (content) => `<body class=x>${content}</body>`,
  (content) => `<BODY BGCOLOR="#fff">${content}</BODY>`,
  (content) => `<!doctype html><title>t</title><body>${content}`,
  (content) => `<!doctype html><title>t</title>${content}`,
  (content) => `<!doctype html><html><head></head><body>${content}</body></html>`,
  (content) => `<html lang=en><head><meta charset=utf-8><body\n>${content}`,
  (content) => `<head><style>body { color: red }</style></head>${content}`,
  (content) => `<!-- <body> -->${content}<!-- </body> -->`,
  (content) => `<!-- <html><body> -->\n<html>${content}`,
  (content) => `<script>var page = "<body>" + '<html>'</script>${content}`,
  (content) => `<script><!-- <script> </script> --></script><body>${content}`,
  (content) => `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${content}</body></html>`,
  (content) => `<html><body></body></html>${content}`,
  (content) => `<template><body></template>${content}`,
  (content) => `<noscript><body></noscript><nav><a href=/>x</a></nav>${content}<footer>x</footer>`,
  (content) => `<!doctype html><!doctype html><html><html><body><body>${content}`,
];
/** Markup before the passages. */
const befores = ['', '<!--x-->', '</p></div></body>'];

/** Pages `{ html, words }`: `words` are those that the main text contains at least. */
export const pages = contents.flatMap((content) =>
  arounds.flatMap((around) => befores.map((before) => around(before + content(main, other)))),
);

export const passages = [main, other];
export const wordsOf = (text) => text.match(/\p{L}+/gu) ?? [];
