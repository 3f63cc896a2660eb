// The text of HTML pages. tests/browser/html.test.mjs compares it with a browser.
import assert from 'node:assert/strict';
import { parse } from 'parse5';
import { blockText, mainText, pageText } from '../../pkg/html.js';
import { pages, passages, wordsOf } from '../page-forms.mjs';
import { kindsOfPages, scoreOf } from '../page-kinds.mjs';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { random } from './random.mjs';

const { MAX_PAGE_LENGTH } = await importSource('js/html/page.ts');
const { textReader } = await importSource('js/node/html.ts');

const words = (html) => wordsOf(mainText(html)).join(' ');

test('a page in any form has its text', () => {
  assert.ok(pages.length >= 1000, `${pages.length}`);
  for (const html of pages) {
    const all = words(html);
    assert.ok(
      passages.some((passage) => all.includes(wordsOf(passage).join(' '))),
      `${html}\n${all}`,
    );
  }
});

test('the main text follows the structure that a browser reads', () => {
  const expected = [
    ['<ul><li>one</li><li>two</li></ul><script>no</script>three<br>four', 'one two three four'],
    ['<body>one', 'one'],
    ['<!-- <body> -->one', 'one'],
    ['<script>"<body>"</script>one', 'one'],
    ['<table>one<tr><td>two', 'one two'],
    ['<p>on<b>e</b><!-- x -->s', 'ones'],
    ['<template><p>no</template>one', 'one'],
    ['<noscript>no</noscript>one', 'one'],
    ['<textarea>one</textarea>', 'one'],
    ['<nav>one</nav>', 'one'],
    ['<div hidden>one</div>', 'one'],
    ['<svg><text>one</text></svg>', 'one'],
    ['<svg><![CDATA[one]]></svg>', 'one'],
    ['one&nbsp;two&eacute;', 'one twoé'],
    ['<title>no</title><p>one<p>two', 'one two'],
    ['<title/><script src="no"/><style/><p>one</p><iframe/><textarea/><p>two', 'one two'],
    ['<p>a b c d e f g h i j k<ul><li><a id=1>one</a><li><a id=2>two</a></ul>', 'a b c d e f g h i j k one two'],
    ['plain text', 'plain text'],
  ];
  for (const [html, text] of expected) assert.equal(words(html), text, html);
});

const empty = ['', '<html></html>', '<script>', '<body><svg/></body>', '<p>\n&nbsp;<p>', '<title>no</title>', '<!--x'];

test('a page without text has an empty main text', () => {
  for (const html of empty) assert.equal(mainText(html), '', html);
});

test('the command line refuses pages without text, and pages that are too long', async () => {
  const read = await textReader({ isHtml: true });
  for (const html of pages.slice(0, 50)) assert.deepEqual(read(html), pageText(html));
  for (const html of empty) assert.throws(() => read(html), /^Error: the page has no text$/, html);
  assert.throws(() => read('x'.repeat(MAX_PAGE_LENGTH + 1)), /^Error: a page of more than 32 MiB$/);
});

test('wrong arguments are named', () => {
  const units = `of up to ${MAX_PAGE_LENGTH} UTF-16 units`;
  const long = ' '.repeat(MAX_PAGE_LENGTH + 1);
  for (const [call, message] of [
    [() => mainText(7), `html must be a string ${units}, got 7: pass String(value)`],
    [
      () => mainText(new Uint8Array()),
      `html must be a string ${units}, got an object (Uint8Array): decode it with a TextDecoder`,
    ],
    [() => mainText(long), `html must be a string ${units}, got "${' '.repeat(40)}…"`],
    [() => blockText(null), `page must be a node, or a string ${units}, got null: pass '' for no text`],
    [() => blockText({}), `page must be a node, or a string ${units}, got an object (Object)`],
  ]) {
    assert.throws(call, { name: 'ArgumentError', message: `nearprint: ${message}` });
  }
});

/** The nodes of a page as a document of a browser has them, and as Cheerio has them. */
function nodesOf(html) {
  const convert = (node, nameOf) => {
    if ('value' in node) return { nodeType: 3, nodeValue: node.value };
    const { tagName = '', childNodes = [] } = node;
    return { nodeType: 1, ...nameOf(tagName), childNodes: childNodes.map((child) => convert(child, nameOf)) };
  };
  const tree = parse(html);
  return [convert(tree, (name) => ({ localName: name })), convert(tree, (name) => ({ name: name.toUpperCase() }))];
}

test('pages of 60 kinds lose no main text, and have little else', () => {
  assert.equal(kindsOfPages.length, 60);
  const scores = kindsOfPages.map((page) => ({ kind: page.kind, ...scoreOf(page, mainText(page.html)) }));
  for (const { kind, recall } of scores) assert.equal(recall, 1, kind);
  const mean = scores.reduce((sum, { precision }) => sum + precision, 0) / scores.length;
  assert.ok(mean > 0.88, `precision ${mean}`);
});

test('the names of parts do not lose the text of a page', () => {
  const text = passages.join(' ');
  for (const html of [
    `<body class="newsletter">${text}`,
    `<div id=newsletter><p>${text}</p></div><p>Our archive</p>`,
    `<p>Home</p><div class="page consent">${text}</div>`,
    `<header>${text}</header>`,
    `<header><main>${text}</main></header>`,
    `<article>Teaser one</article><div>${text}</div><article>Teaser two</article>`,
    `<main></main>${text}`,
    `<div class="gdpr-overlay">${'We value your privacy. '.repeat(60)}</div><div class="story has-sidebar">${text}</div>`,
    `<div class=comments>${passages.map((passage) => `<div class=comment>${passage}</div>`).join('')}</div>`,
    `<div class=sidebar><main>${text}</main></div><p>${'Something else. '.repeat(200)}</p>`,
  ]) {
    assert.ok(words(html).includes(wordsOf(text).join(' ')), html);
  }
});

test('hidden parts are left out of a page that has other text', () => {
  const hidden = [
    ['hidden', 'hidden=""', 'aria-hidden=true', 'style=display:none'],
    [
      'style="color:red;DISPLAY : NONE"',
      'style="display:none!important;display:block"',
      'style="visibility: collapse"',
    ],
    ['style="display:/*;*/none"', 'style="d\\69splay:none"', 'style="/* x */ visibility:hidden ;"'],
  ].flat();
  const notHidden = [
    ['aria-hidden=false', 'style="display:block"', 'style="display:none;display:block"', 'style="x-display:none"'],
    ['style="/* display:none"', 'style="background:url(display:none)"', 'hidden=until-found', 'role=tabpanel hidden'],
  ].flat();
  const text = wordsOf(passages.join(' ')).join(' ');
  const other = 'Subscribe to our letter today';
  const page = (attributes) => `<p>${passages.join(' ')}</p><div ${attributes}>${other}</div>`;
  for (const attributes of hidden) assert.equal(words(page(attributes)), text, attributes);
  for (const attributes of notHidden) assert.equal(words(page(attributes)), `${text} ${other}`, attributes);
});

test('the page behind a dialog has its text, and a closed dialog is left out', () => {
  const [text, other] = passages;
  const long = `${text} Buses stop at the market square, and the school stays open for all classes on Wednesday.`;
  const modal = (content, attributes = '') => `<div class="modal fade" ${attributes}>${content}</div>`;
  for (const [html, expected] of [
    [`<body class=modal-open><main aria-hidden=true><p>${long}</p></main>${modal(other)}`, long],
    [`<body class=modal-open><div aria-hidden=true><p>By us</p><main>${long}</main></div>${modal(other)}`, long],
    [`<div aria-hidden=true><article>${long}</article></div>${modal(other, 'role=dialog')}`, long],
    [`<main>${text}</main>${modal(other, 'aria-hidden=true')}`, text],
    [`<p>${text}</p>${modal(other, 'aria-hidden=true')}`, text],
    // The text that is open may be the page, if it is longer or nothing else states what the main text is.
    [`<main aria-hidden=true>${text}</main>${modal(long)}`, `${text} ${long}`],
    [`<div aria-hidden=true><p>${text}</p></div>${modal(`${long} ${other}`)}`, `${text} ${long} ${other}`],
  ]) {
    assert.equal(words(html), wordsOf(expected).join(' '), html);
  }
});

test('parts that are left out come back if a page has no other text', () => {
  const [text, other] = passages;
  const all = wordsOf(text).join(' ');
  for (const [html, expected] of [
    [`<h1>Flood</h1><div hidden>${text}</div>`, `Flood ${all}`],
    [`<h1>Flood</h1><div class=comments><p>${text}</div><nav>Home</nav>`, `Flood ${all}`],
    [`<h1>Flood</h1><div class=comments><p>${text}</div><div hidden>${other}</div>`, `Flood ${all}`],
    [`<h1>Flood</h1><footer>${text}</footer>`, `Flood ${all}`],
    [`<h1>Flood</h1><noscript>${other}</noscript><aside>${text}</aside>`, `Flood ${all}`],
    [`<h1>Flood</h1><ul><li><a href=/1>${text}</a><li><a href=/2>two</a></ul><nav>Home</nav>`, `Flood ${all} two`],
  ]) {
    assert.equal(words(html), expected, html);
  }
});

test('a list of links stays if the other text has no more words', () => {
  const link = (at) => `<li><a href="/${at}">chapter number ${at}</a>`;
  const list = (count) => `<ul>${Array.from({ length: count }, (_, at) => link(at)).join('')}</ul>`;
  const [text] = passages;
  assert.ok(!mainText(`${list(4)}<p>${text}</p>`).includes('chapter'));
  for (const count of [8, 80])
    assert.ok(mainText(`${list(count)}<p>${text}</p>`).includes(`chapter number ${count - 1}`));
});

test('the part that a name describes is told from a section of a manual', () => {
  const [text, other] = passages;
  const section = (attributes, heading) => `<p>${text}</p><div ${attributes}><h2>${heading}</h2><p>${other}</p></div>`;
  for (const html of [
    section('id=cookies', 'Cookies'),
    section('id=s-comments', '2.1 Comments'),
    section('id=sponsored-ads', 'Sponsored ads'),
    section('class=sidebar', 'A remark'),
    section('class=share-prices', 'The day'),
    section('class="recipe cookies"', 'From grandmother'),
    section('id=replication-subscribe-slot', 'Slots'),
    `<p>${text}</p><div class=comment><p>${other}</p></div><p>${text}</p><div class=comment><p>${other}</p></div>`,
    `<p>${text}</p><p>x <span class=comment>${other}</span></p>`,
  ]) {
    assert.ok(words(html).includes(wordsOf(other).join(' ')), html);
  }
  for (const html of [
    section('id=cookies', 'We value your privacy <button>Agree</button>'),
    section('class=cookies', 'Cookies <button>Agree</button>'),
    section('class=cookie-banner', '<a href=/terms>Cookies</a>'),
    section('class=newsletter', 'Each morning'),
    section('class=ad', 'Today'),
    section('class=comments', '25 replies'),
    section('class=social-share', 'Share <i role=button></i>'),
  ]) {
    assert.equal(words(html), wordsOf(text).join(' '), html);
  }
});

/** Names of parts that are about something else than the role that one of their words names. */
const misleading = [
  ...'ad-hoc-network advertising-standards breadcrumbs-story comment-policy comments-on-genesis consent-in-medicine'.split(
    ' ',
  ),
  ...'cookie-recipes copyright-history footer-notes gdpr-guide menu-planning nav-chart-explained newsletter-issue'.split(
    ' ',
  ),
  ...'promo-code-rules recommendation-letter related-work share-price-table shareHolders sharing_economy'.split(' '),
  ...'sidebar-article social-history social-security sponsored-research subscribe-method widget-article'.split(' '),
];

/** Names of parts that are not content, as frameworks, plugins and site builders make them. */
const surrounding = [
  ...'ad-slot adBox ads advert-block promo-banner sponsored-links newsletter-signup-form subscribe-box'.split(' '),
  ...'cookie-banner cookie-law-info js-cookie-consent nyt-cookie-notice cookieBannerWrapper gdpr-popup'.split(' '),
  ...'CookieConsent_root__1xY9z consent-modal comments-area CommentsList_list__x8dK2 commentaires comentarios'.split(
    ' ',
  ),
  ...'kommentare social-share share-buttons SocialLinks_bqdT share__list sharing-bar'.split(' '),
];

test('a name of several words is read as a whole', () => {
  const [text, other] = passages;
  const page = (attributes) =>
    `<h1>Flood</h1><p>${text}</p><div ${attributes}><h2>The day</h2><p>${other} <a href=/x>More</a></p></div><p>${text}</p>`;
  const rest = wordsOf(`Flood ${text} ${text}`).join(' ');
  const all = wordsOf(`Flood ${text} The day ${other} More ${text}`).join(' ');
  for (const name of misleading)
    for (const attribute of ['class', 'id'])
      assert.equal(words(page(`${attribute}="${name}"`)), all, `${attribute} ${name}`);
  for (const name of surrounding) assert.equal(words(page(`class="x ${name}"`)), rest, name);
});

test('prose stays that the reader opens', () => {
  const [text, other] = passages;
  const prose = `<p>${other}</p>`;
  const opened = [
    `<h3><button aria-expanded=false aria-controls=a1>How?</button></h3><div id=a1 role=region hidden>${prose}</div>`,
    `<div role=button aria-controls="x a1">How?</div><div id=a1 style="display: none">${prose}</div>`,
    `<div id=a1 hidden>${prose}</div><a href=# aria-controls=a1>How?</a>`,
    `<details><summary>How?</summary><div style="display:none;height:0">${prose}</div></details>`,
    `<div class=tab-content hidden>${prose}</div>`,
    `<div class=ui-tabs-panel style="display:none">${prose}</div>`,
  ];
  for (const html of opened) assert.ok(words(`<p>${text}</p>${html}`).includes(wordsOf(other).join(' ')), html);
  const closed = [
    `<div id=a1 hidden>${prose}</div><button aria-controls=a2>Go</button>`,
    `<div id=a1 class=modal hidden>${prose}</div><button aria-controls=a1>Go</button>`,
    `<div id=a1 hidden><p>Menu <a href=/>Home</a></p></div><button aria-controls=a1>Go</button>`,
    `<details hidden><summary>Go</summary>${prose}</details>`,
  ];
  for (const html of closed) assert.equal(words(`<p>${text}</p>${html}`), wordsOf(text).join(' '), html);
});

test('prose stays that a browser shows in a shadow tree, a frame, a button, a menu or a picture', () => {
  const [text, other] = passages;
  const escaped = other.replaceAll('"', '&quot;');
  for (const html of [
    `<x-note><template shadowrootmode=open><style>p {}</style><p>${other}</p></template></x-note>`,
    `<x-note><template shadowrootmode=CLOSED><main><p>${other}</p></main></template></x-note>`,
    `<iframe srcdoc="<p>${escaped}</p><iframe srcdoc='<p>no</p>'></iframe>"></iframe>`,
    `<button class=card><h2>Card</h2><p>${other}</p></button>`,
    `<button>Go<p>${other}</p>`,
    `<menu><li>${other}</li></menu>`,
    `<svg><foreignObject><p>${other}</p></foreignObject></svg>`,
  ]) {
    const all = words(`<p>${text}</p>${html}`);
    assert.ok(all.startsWith(wordsOf(text).join(' ')) && all.includes(wordsOf(other).join(' ')), html);
    assert.ok(!/\bno\b/.test(all), html);
  }
  for (const html of [
    `<template><p>${other}</p></template>`,
    `<template shadowrootmode=none><p>${other}</p></template>`,
    `<div hidden><button><p>${other}</p></button></div>`,
    `<svg style="display:none"><foreignObject><p>${other}</p></foreignObject></svg>`,
    '<button>Go on</button><menu><li>Cut<li>Copy</menu><svg><text>12</text></svg>',
    `<amp-consent><p>${other}</p></amp-consent><amp-user-notification>${other}</amp-user-notification>`,
  ]) {
    assert.equal(words(`<p>${text}</p>${html}`), wordsOf(text).join(' '), html);
  }
});

test('comments of readers are told from the text of a manual on each part of a program', () => {
  const [text, other] = passages;
  const before = `<article><h1>Flood</h1><p>${text}</p></article>`;
  const comments = [
    `<ol class=commentlist><li class="comment depth-1" id=comment-1><p>${other}</p></li></ol>`,
    `<article class=comment><p>${other}</p></article>`,
    `<div class=comment>By Jo: ${other}</div><div class=comment><p>${other}</p></div>`,
    `<div class=comment>By Jo: ${other}</div><p><a href=/reply>Reply</a></p><div class=comment><p>${other}</p></div>`,
    `<ol class=comment-list><li class=comment><p>${other}</p></li></ol>`,
    `<div class=commentList><article class=comment>${other}</article></div>`,
    `<div class=commentList><div class=comment>${other}</div><div class=comment>${other}</div></div>`,
  ];
  for (const html of comments) {
    assert.equal(words(before + html), wordsOf(`Flood ${text}`).join(' '), html);
    assert.ok(words(html).includes(wordsOf(other).join(' ')), html);
  }
  const manuals = [
    `<h4>trait List</h4><div class="comment cmt"><p>${other}</p></div>`,
    `<p><span>object</span> <a href=/map>Map</a></p><div class="comment cmt"><p>${other}</p></div>`,
  ];
  for (const html of manuals) assert.equal(words(before + html + html).split(wordsOf(other).join(' ')).length, 3, html);
});

test('pageText: the words that are used, and all words of the page', () => {
  const menu = Array.from({ length: 60 }, (_, at) => `<a href=/${at}>item ${at}</a>`).join(' ');
  const page = `<nav>${menu}</nav><p>${passages[0]}</p><script>no</script><noscript>no</noscript>`;
  const used = wordsOf(passages[0]).length;
  assert.deepEqual(pageText(page), { text: passages[0], words: { used, all: used + 120 } });
  assert.deepEqual(pageText(''), { text: '', words: { used: 0, all: 0 } });
  for (const html of pages) {
    const { text, words } = pageText(html);
    assert.equal(text, mainText(html));
    assert.ok(words.used <= words.all, html);
  }
});

const pieces = [
  ...'< </ > /> " \' = & &# <! <!-- --> <? ]]> <![CDATA[ \0 \ufffd \ud800'.split(' '),
  ...'<body <main <article <table <td <select <template <svg <math <noscript <p <li <a'.split(' '),
  ...'</p|</table|</body|</a|</article| class=comment| id=comments| hidden| style="display:none'.split('|'),
  ...[' role=main', ' aria-hidden=true', ' class="', 'the river burst its banks and the road is closed now '],
  ...['one ', ' ', '\n'],
];

test('any sequence of characters and tags is read as a page', () => {
  const below = random(11);
  for (let trial = 0; trial < 3000; trial++) {
    const html = Array.from({ length: 1 + below(60) }, () =>
      below(8) === 0 ? String.fromCharCode(below(0x3000)) : pieces[below(pieces.length)],
    ).join('');
    const { text, words } = pageText(html);
    const all = blockText(html);
    assert.equal(text.trim() === '', all.trim() === '', html);
    const lines = new Set(all.split('\n'));
    for (const line of text.split('\n')) assert.ok(line === '' || lines.has(line), html);
    assert.ok(words.used <= words.all, html);
  }
});

test('a list of teasers whose words are links by four tenths does not displace the text of a page', () => {
  const some = (count, name) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
  const teaser = `<p>${some(12, 'about')} <a href="/">${some(8, 'title')}</a></p>`;
  assert.ok(mainText(`<div>${teaser.repeat(3)}</div><p>${some(30, 'text')}</p>`).includes(some(30, 'text')));
});

test('blockText: a string and the nodes of its document have the same words', () => {
  for (const html of pages) {
    const expected = wordsOf(blockText(html));
    for (const node of nodesOf(html)) assert.deepEqual(wordsOf(blockText(node)), expected, html);
  }
});

test('blockText: a page has the same words with and without white space between its tags', () => {
  const items = Array.from({ length: 40 }, (_, at) => `Item ${at} of the list costs ${at * 7} euros`);
  const page = (space) =>
    `<html><body>${space}<ul>${space}${items.map((item) => `<li>${item}</li>`).join(space)}${space}</ul></body></html>`;
  const [minified, formatted] = ['', '\n  '].map((space) => wordsOf(blockText(page(space))));
  assert.deepEqual(minified, formatted);
  assert.deepEqual(minified, wordsOf(items.join('\n')));
});

exhaustive('a word, a name or a style of any length is read', () => {
  const length = 1 << 23;
  for (const letter of ['a', '的', '\u{20000}', '\ud800']) {
    const long = letter.repeat(length / letter.length);
    assert.equal(pageText(`<p>${long}</p>`).text, long);
    for (const start of ['id="ads-', 'class="ads-', 'role="', 'style="display:'])
      assert.equal(mainText(`<div ${start}${long}"><h2>x</h2>one two</div>`), 'x\none two');
  }
  for (const start of ['/*', 'display:', 'display:/*', '*/', '(', '\\'])
    assert.equal(mainText(`<p style="${start.repeat(length / start.length)}">x</p>`), 'x');
  assert.equal(mainText(`x${'<!--'.repeat(length / 4)}`), 'x');
});

test('an element may have the name of a property of every object', () => {
  const deep = '<div>'.repeat(600);
  assert.equal(words(`${deep}<constructor>one</constructor> two`), 'one two');
});

test('two pages with another menu have the same main text', () => {
  const page = (menu) =>
    `<div class=menu>${menu}</div><div><h1>News</h1>${passages.map((text) => `<p>${text}`).join('')}</div>`;
  const menu = (seed) => Array.from({ length: 20 }, (_, at) => `<a href=/${at}>item ${seed}${at}</a> `).join('');
  assert.equal(mainText(page(menu('a'))).trim(), mainText(page(menu('b'))).trim());
  assert.ok(!mainText(page(menu('a'))).includes('item'));
});
