// Dates of RFC 5322. The oracles are the times in ISO 8601, and what `toUTCString` writes, which is the format of HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importSource } from '../source.mjs';
import { random } from './random.mjs';

const { parseMailDate } = await importSource('js/formats/mail-date.ts');

test('the dates of mails and of HTTP are read', () => {
  for (const [text, iso] of [
    ['Sat, 28 Nov 2026 08:51:00 +0000', '2026-11-28T08:51:00Z'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    // The examples of RFC 5322, appendix A.
    ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T15:55:06Z'],
    ['Thu, 13 Feb 1969 23:32:54 -0330', '1969-02-14T03:02:54Z'],
    [
      'Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)',
      '1969-02-14T03:02:00Z',
    ],
    ['21 Nov 97 09:55:06 GMT', '1997-11-21T09:55:06Z'],
    ['Fri, 21 Nov 1997 09(comment):   55  :  06 -0600', '1997-11-21T15:55:06Z'],
    // Without a weekday or seconds, with one digit, in other cases and with other spaces.
    ['1 Jul 2003 10:52 +0200', '2003-07-01T08:52:00Z'],
    ['tue,1 JUL 2003 10:52:37 +0200', '2003-07-01T08:52:37Z'],
    ['\tTue , 01  Jul\t2003 10:52:37 gmt ', '2003-07-01T10:52:37Z'],
    ['(a(b)\\) c) Tue, 1 Jul (July) 2003 10:52:37 +0200 (CEST (summer))', '2003-07-01T08:52:37Z'],
    ['Tue, 1 Jul 2003(x)10:52:37(y)+0200', '2003-07-01T08:52:37Z'],
    ['Tue, 01 Jul 2003 10:52:37 -0000', '2003-07-01T10:52:37Z'],
    // Obsolete years and zones.
    ['Sat, 1 Jan 00 00:00:00 UT', '2000-01-01T00:00:00Z'],
    ['1 Jan 49 00:00 UT', '2049-01-01T00:00:00Z'],
    ['1 Jan 50 00:00 UT', '1950-01-01T00:00:00Z'],
    ['1 Jan 103 00:00 UT', '2003-01-01T00:00:00Z'],
    ['1 Jan 2020 00:00:00 EST', '2020-01-01T05:00:00Z'],
    ['1 Jan 2020 00:00:00 EDT', '2020-01-01T04:00:00Z'],
    ['1 Jan 2020 00:00:00 CST', '2020-01-01T06:00:00Z'],
    ['1 Jan 2020 00:00:00 CDT', '2020-01-01T05:00:00Z'],
    ['1 Jan 2020 00:00:00 MST', '2020-01-01T07:00:00Z'],
    ['1 Jan 2020 00:00:00 MDT', '2020-01-01T06:00:00Z'],
    ['1 Jan 2020 00:00:00 PST', '2020-01-01T08:00:00Z'],
    ['1 Jan 2020 00:00:00 PDT', '2020-01-01T07:00:00Z'],
    ['1 Jan 2020 00:00:00 Z', '2020-01-01T00:00:00Z'],
    ['1 Jan 2020 00:00:00 A', '2020-01-01T00:00:00Z'],
    // Limits.
    ['Sat, 31 Dec 2016 23:59:60 +0000', '2017-01-01T00:00:00Z'],
    ['29 Feb 2024 23:59:59 +0000', '2024-02-29T23:59:59Z'],
    ['1 Jan 1900 00:00 +0000', '1900-01-01T00:00:00Z'],
    ['1 Jan 2020 00:00:00 +9959', '2019-12-27T20:01:00Z'],
    ['1 Jan 12020 00:00:00 +0000', '+012020-01-01T00:00:00Z'],
  ]) {
    assert.equal(parseMailDate(text), Date.parse(iso), text);
  }
});

test('what is not a date of RFC 5322 is not read as one', () => {
  for (const text of [
    '',
    'yesterday',
    '2026-11-28',
    'Sun, 28 Nov 2026 08:51:00 +0000',
    'Sat 28 Nov 2026 08:51:00 +0000',
    'Saturday, 28 Nov 2026 08:51:00 +0000',
    'Sat, 28 November 2026 08:51:00 +0000',
    'Sat, 28 Nov 2026 08:51:00',
    'Sat, 28 Nov 2026',
    'Sat, 28 Nov 2026 8:51:00 +0000',
    'Sat, 28 Nov 2026 08:5:00 +0000',
    'Sat, 28 Nov 2026 08:51:00.5 +0000',
    'Sat, 28 Nov 2026 24:00:00 +0000',
    'Sat, 28 Nov 2026 08:60:00 +0000',
    'Sat, 28 Nov 2026 08:51:61 +0000',
    'Sat, 28 Nov 2026 08:51:00 +00:00',
    'Sat, 28 Nov 2026 08:51:00 +0060',
    'Sat, 28 Nov 2026 08:51:00 +000',
    'Sat, 28 Nov 2026 08:51:00 CET',
    'Sat, 28 Nov 2026 08:51:00 J',
    'Sat, 28 Nov 2026 08:51:00 GMT+1',
    'Sat, 28 Nov 2026 08:51:00 toString',
    'Sat, 28 Nov 2026 08:51:00 (+0000)',
    'Sat, 28 Nov 2026 08:51:00 +0000 (open',
    'Sat, 28 Nov 2026 08:51:00 +0000 )',
    '0 Nov 2026 08:51:00 +0000',
    '31 Nov 2026 08:51:00 +0000',
    '29 Feb 2023 08:51:00 +0000',
    '1 Jan 1899 08:51:00 +0000',
    '1 Jan 999999 08:51:00 +0000',
    '1 Jam 2026 08:51:00 +0000',
    'Sat, 28 Nov 2026 08:51:00 +0000 and more',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])
    assert.equal(parseMailDate(text), undefined, text);
});

test('every date that HTTP has is read', () => {
  const below = random(5322);
  for (let round = 0; round < 2000; round++) {
    const time = 1000 * (below(2 ** 32) - 2_200_000_000);
    assert.equal(parseMailDate(new Date(time).toUTCString()), time);
  }
});

test('long texts are refused', () => {
  // A parser that tries all ways to read them, or reads the rest for each character, does not end.
  for (const text of [
    '('.repeat(3e6),
    '()'.repeat(3e6),
    ' '.repeat(3e6),
    `Sat, ${'\t '.repeat(1e6)}28`,
    `(${'\\'.repeat(3e6)})`,
  ])
    assert.equal(parseMailDate(text), undefined);
});
