// Dates of RFC 5322, as mails and HTTP have them: `Sat, 28 Nov 2026 08:51:00 +0000`. The obsolete forms of its section 4.3 are
// read too: comments, years of two and three digits, and zones by names.

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The hours of zones from UTC. */
const zones: Readonly<Record<string, number>> = {
  ut: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** No date is longer without its comments. */
const MAX_LENGTH = 100;

/** The parts of a date without comments. A space is between numbers and words, and may be around `,` and `:`. */
const DATE =
  /^(?:([a-z]{3}) ?, ?)?(\d{1,2}) ([a-z]{3}) (\d{2,6}) (\d{2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? (?:([+-])(\d{2})(\d{2})|([a-z]{1,3}))$/;

/** Returns a text with a space in place of each comment. Comments may be nested. Undefined if a comment has no end. */
function withoutComments(text: string): string | undefined {
  if (!text.includes('(')) return text;
  let [plain, depth] = ['', 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')' && depth > 0) {
      if (--depth === 0) plain += ' ';
    } else if (depth > 0) {
      if (character === '\\') at++;
    } else plain += character;
  }
  return depth === 0 ? plain : undefined;
}

/** Returns the year of digits: 49 is 2049, 50 is 1950, and 103 is 2003. */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year + (year < 50 ? 2000 : 1900);
  return digits.length === 3 ? year + 1900 : year;
}

/** Returns the minutes of a zone from UTC; undefined if it is not one. */
function offsetOf(sign: string | undefined, hours: string, minutes: string, name: string): number | undefined {
  if (sign !== undefined) {
    const offset = 60 * Number(hours) + Number(minutes);
    return Number(minutes) > 59 ? undefined : sign === '-' ? -offset : offset;
  }
  // The letters of military zones count as UTC, since RFC 822 had their signs wrong. J is not one.
  if (/^[a-ik-z]$/.test(name)) return 0;
  return Object.hasOwn(zones, name) ? 60 * zones[name] : undefined;
}

/** Returns the time of a date in milliseconds since 1970; undefined for a text that is not a valid date. */
export function parseMailDate(text: string): number | undefined {
  const plain = withoutComments(text)
    ?.replace(/[ \t\r\n]+/g, ' ')
    .trim()
    .toLowerCase();
  if (plain === undefined || plain.length > MAX_LENGTH) return undefined;
  const match = DATE.exec(plain);
  if (match === null) return undefined;
  const [, weekday, dayDigits, monthName, yearDigits, hours, minutes, seconds = '0', sign, ...zone] = match;
  const [day, month, year] = [Number(dayDigits), months.indexOf(monthName), yearOf(yearDigits)];
  const offset = offsetOf(sign, zone[0], zone[1], zone[2]);
  // The year 1900 is the first that RFC 5322 allows, and a minute may have a leap second.
  if (offset === undefined || month < 0 || year < 1900) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const date = new Date(Date.UTC(year, month, day));
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  if (weekday !== undefined && days.indexOf(weekday) !== date.getUTCDay()) return undefined;
  const time = date.getTime() + 1000 * (3600 * Number(hours) + 60 * (Number(minutes) - offset) + Number(seconds));
  return Number.isNaN(time) ? undefined : time;
}
