// Guesses the encoding of bytes that are not valid UTF-8, for a message.
import { isUtf8 } from 'node:buffer';

interface Candidate {
  label: string;
  /** The most frequent characters of its texts that are not ASCII, and their share of all such characters. */
  frequent: string;
  share: number;
}

const cyrillic = { frequent: 'оеаинтсрвлОЕАИНТСРВЛ', share: 0.62 };

const japanese = {
  frequent: 'のにはをたがでてとしれさいなるるもかっりこんらまあすきくう。、ンスルトーリアイ',
  share: 0.6,
};

/** Encodings of scripts whose letters are not ASCII. */
const otherScripts: readonly Candidate[] = [
  { label: 'windows-1251', ...cyrillic },
  { label: 'koi8-r', ...cyrillic },
  { label: 'ibm866', ...cyrillic },
  { label: 'iso-8859-5', ...cyrillic },
  { label: 'windows-1253', frequent: 'αοιετσνηυρπκςάίόέή', share: 0.85 },
  { label: 'windows-1255', frequent: 'יוהלאתרבשמ', share: 0.7 },
  { label: 'windows-1256', frequent: 'اليمنورتبةع', share: 0.72 },
  { label: 'windows-874', frequent: 'านรอกเงมยลวดท่้ีัิ', share: 0.68 },
  { label: 'shift_jis', ...japanese },
  { label: 'euc-jp', ...japanese },
  {
    label: 'gb18030',
    frequent:
      '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长，。',
    share: 0.4,
  },
  {
    label: 'big5',
    frequent:
      '的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長，。',
    share: 0.4,
  },
  {
    label: 'euc-kr',
    frequent: '이다의는에을가고하지로기사도리한은자어인들나를시아정서그대게스부수일라전해으과보여주장만',
    share: 0.55,
  },
];

/** Encodings of languages that write some letters of Latin words with accents. */
const latin: readonly Candidate[] = [
  { label: 'windows-1252', frequent: 'éèàçêâîôûùëïäöüßñáíóúåøæãõÄÖÜÉÀÅØ’‘“”«»–—…°§¿¡€', share: 1 },
  { label: 'windows-1250', frequent: 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűöüäßăâîşţ„”–', share: 1 },
  { label: 'windows-1254', frequent: 'ışğçöüİŞĞÇÖÜâîû’“”', share: 1 },
];

/** The number of bytes beyond ASCII below which no guess is made, and from which one guess may be enough. */
const [MIN_BYTES, MANY_BYTES] = [4, 40];
/** The maximum number of bytes that are examined. */
const MAX_SAMPLE = 1 << 14;

/**
 * Returns how well a text fits an encoding, 1 for a usual text; 0 if the encoding does not have its bytes. `isOdd` states that
 * most letters are capitals, or that capitals follow small letters: another encoding has letters in these places too.
 */
function fitOf(sample: Uint8Array, { label, frequent, share }: Candidate) {
  let text: string;
  try {
    // The sample may end within a character.
    text = new TextDecoder(label, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return { label, fit: 0, isOdd: true };
  }
  const others = text.match(/[^\0-\x7f]/gu) ?? [];
  const found = others.filter((unit) => frequent.includes(unit)).length;
  const mixed = text.match(/(?![\0-\x7f])\p{Ll}\p{Lu}/gu)?.length ?? 0;
  const capitals = others.filter((unit) => /\p{Lu}/u.test(unit)).length;
  const isOdd = mixed > 0.004 * others.length || 2 * capitals > others.length;
  return { label, fit: found / (share * Math.max(others.length, 1)), isOdd };
}

/** Returns whether most bytes beyond ASCII have none beside them, as accented letters of Latin words are. */
function areScattered(sample: Uint8Array): boolean {
  let [all, joined] = [0, 0];
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] < 0x80) continue;
    all++;
    if (sample[at - 1] >= 0x80 || sample[at + 1] >= 0x80) joined++;
  }
  return joined < 0.5 * all;
}

/** Returns whether a sample is UTF-8 with some wrong bytes. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const others = new TextDecoder().decode(sample).match(/[^\0-\x7f]/gu) ?? [];
  return 2 * others.filter((unit) => unit !== '\ufffd').length > others.filter((unit) => unit === '\ufffd').length;
}

/** Returns UTF-16 without a byte-order mark, by the zero bytes of its spaces, digits and line ends. */
function wideLabel(sample: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]++;
  // A character such as U+4E00 has a zero byte in the other place.
  if (zeros[0] + zeros[1] <= sample.length / 50 || 4 * Math.min(...zeros) > Math.max(...zeros)) return undefined;
  return zeros[0] > zeros[1] ? 'utf-16be' : 'utf-16le';
}

/**
 * Returns the names of encodings in which bytes are probably written, the most probable first: one if it is sure, two if it
 * is not, none if nothing is known.
 */
export function guessEncodings(bytes: Uint8Array): string[] {
  const sample = bytes.subarray(0, MAX_SAMPLE);
  const wide = wideLabel(sample);
  if (wide !== undefined) return [wide];
  const size = sample.filter((byte) => byte >= 0x80).length;
  if (size < MIN_BYTES || isDamagedUtf8(sample)) return [];
  const fits = (areScattered(sample) ? latin : otherScripts)
    .map((candidate) => fitOf(sample, candidate))
    .sort((a, b) => b.fit - a.fit);
  const [best, second] = fits;
  if (best.fit < 0.6) return [];
  const isFar = (second.isOdd ? 0.7 : 1) * second.fit <= 0.75 * best.fit;
  const isSure = size >= MANY_BYTES && best.fit >= 0.75 && isFar && !best.isOdd;
  return isSure ? [best.label] : [best.label, second.label];
}

/** Returns the lines that are not valid UTF-8, up to the size of a sample. */
function wrongLines(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < MAX_SAMPLE; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    const line = bytes.subarray(start, Math.min(end, start + MAX_SAMPLE));
    start = end;
    if (isUtf8(line)) continue;
    lines.push(line);
    size += line.length;
  }
  return Buffer.concat(lines);
}

/** The advice about bytes: many documents of a batch may be wrong. */
const known = new WeakMap<Uint8Array, string>();

/** Returns what to do about wrong bytes, which are in some lines of `bytes`. */
export function encodingAdvice(bytes: Uint8Array = new Uint8Array()): string {
  const advice = known.get(bytes) ?? newAdvice(bytes);
  known.set(bytes, advice);
  return advice;
}

function newAdvice(bytes: Uint8Array): string {
  const wide = wideLabel(bytes.subarray(0, MAX_SAMPLE));
  const guesses = wide === undefined ? guessEncodings(wrongLines(bytes)) : [wide];
  if (guesses.length === 1) return `they look like ${guesses[0]}: --encoding ${guesses[0]} reads them`;
  const [first = 'windows-1252', second = 'windows-1251'] = guesses;
  return `--encoding names another encoding, such as ${first} or ${second}`;
}

/**
 * Returns the message for a document with bytes that are wrong in the encoding of its file. `bytes` are bytes of the file with the
 * document: the more of them, the better is the guess.
 */
export function invalidBytes(encoding: string, bytes?: Uint8Array): string {
  // Of another encoding, the bytes are replaced.
  const advice = encodingAdvice(encoding === 'utf-8' ? bytes : undefined);
  return `the bytes are not valid ${encoding.replace('utf-', 'UTF-')}; ${advice}`;
}
