// The page's messages in English. A message that depends on values is a function of them. Numbers in strings are
// formatted; `n` is the number that decides between singular and plural.
import type { Side } from '../shared/pair.js';
import type { View } from '../shared/state.js';

const s = (n: number, one: string, many = `${one}s`): string => (n === 1 ? one : many);
const others = (more: number): string => (more > 0 ? ` ${more} other ${s(more, 'file')} cannot be read either.` : '');

/** Lists at most five of the numbers. */
const few = (list: number[]): string =>
  list.slice(0, 5).join(', ') + (list.length > 5 ? ` and ${list.length - 5} more` : '');

const tie = 'a tie, which counts as 0';

export const en = {
  title: 'nearprint: see why two texts are near-duplicates',
  skip: 'Skip to the content',
  views: 'Views',
  compareView: 'Compare two texts',
  duplicatesView: 'Find duplicates',
  language: 'Language',
  shared: ({ copied, whole, view }: { copied: boolean; whole: boolean; view: View }): string => {
    const where = copied ? 'The link is copied.' : 'The link is in the address bar.';
    if (view === 'duplicates') {
      return whole
        ? `${where} It holds the pasted lines and the scheme, but no files.`
        : `${where} The lines are too long for a link: it holds the scheme only.`;
    }
    return whole
      ? `${where} It holds both texts.`
      : `${where} The texts are too long for a link: it holds their fingerprints only.`;
  },
  sharedOtherFormat: 'This link is from another version of the page and cannot be read. Nothing has changed.',
  sharedDamaged: 'This link is damaged: a part of it is missing or changed. Your texts are unchanged.',
  sharedSummariesOnly:
    'This link holds only the fingerprints of two texts. The texts were too long for a link. Type or drop other texts to compare them.',
  copyLink: 'Copy link',
  promise:
    'Your text never leaves this page. WebAssembly in your browser computes everything, and the page cannot send data anywhere.',
  promiseShort: 'Your text never leaves this page.',
  failed: ({ message }: { message: string }): string => `Error: ${message}`,
  working: 'Comparing …',

  headline: ({ bits }: { bits: number }): string => `Two texts, ${bits} bits each.`,
  bitsApart: ({ distance }: { distance: number }): string =>
    distance === 0 ? 'No bit differs.' : `${distance} ${s(distance, 'bit')} apart.`,
  swap: 'Swap',
  openFiles: 'Open files',
  saveImage: 'Save image',
  samples: 'Try',
  sampleNews: 'An edited news item',
  sampleLicences: 'Two licences',
  sampleChinese: 'Edited Chinese',
  sampleJapanese: 'Japanese',
  sampleEmoji: 'Emoji',
  sampleUnrelated: 'Unrelated',
  firstText: 'First text',
  secondText: 'Second text',
  characters: ({ count, n }: { count: string; n: number }): string => `${count} ${s(n, 'character')}`,
  textPlaceholder: 'Type or paste a text, or drop a file of up to 4\u00a0MB. Ctrl+Enter goes to the verdict.',
  clear: 'Clear',
  'clear-a': 'Clear the first text',
  'clear-b': 'Clear the second text',
  undo: 'Undo',
  showAll: 'Show all',
  showLess: 'Show less',
  textTooLong: ({ length, limit }: { length: string; limit: string }): string =>
    `With that, the text has ${length} characters; the limit is ${limit}. Your text is unchanged.`,
  fileTooLarge: ({ name, size, limit, more }: { name: string; size: number; limit: number; more: number }): string =>
    `“${name}” has ${size} MB; the limit is ${limit} MB. Your text is unchanged.${others(more)}`,
  fileUnreadable: ({ name, more }: { name: string; more: number }): string =>
    `“${name}” cannot be read. It may be a folder, or a file that was moved. Your text is unchanged.${others(more)}`,
  fileExpands: ({ name, limit, more }: { name: string; limit: number; more: number }): string =>
    `“${name}” has more than ${limit} MB without its compression. Your text is unchanged.${others(more)}`,
  fileBinary: ({ name, more }: { name: string; more: number }): string =>
    `“${name}” is not a text file. Your text is unchanged.${others(more)}`,
  fileEncoding: ({ name, more }: { name: string; more: number }): string =>
    `“${name}” has bytes that are not valid in UTF-8, or in the encoding that it declares. Your text is unchanged.${others(more)}`,
  filesLeft: ({ name, more }: { name: string; more: number }): string =>
    `Two texts are compared, so “${name}”${more > 0 ? ` and ${more} more ${s(more, 'file')}` : ''} ${more > 0 ? 'are' : 'is'} not read.`,

  textMissing: 'Enter two texts.',
  verdictEmpty: 'A text without words has no features to compare.',
  verdictIdentical: 'Identical texts.',
  verdictSameWords: 'The same words: only case, punctuation or spacing differ.',
  verdictSameFoldedWords: 'The same words apart from accents and apostrophes, which fingerprints do not ignore.',
  verdictShort: ({ near }: { near: boolean }): string =>
    near ? 'Near-duplicates: the words are equal.' : 'Not near-duplicates: short texts whose words or symbols differ.',
  verdict: ({ share, units, near }: { share: string; units: string; near: boolean }): string =>
    `${near ? 'Near-duplicates' : 'Not near-duplicates'}: ${share} of the ${units} are in common.`,
  verdictEstimated: ({ share, units, near }: { share: string; units: string; near: boolean }): string =>
    `Probably ${near ? '' : 'not '}near-duplicates: about ${share} of the ${units} are in common.`,
  remarkSketchesOnly: 'Only the fingerprints and sketches are known, not the texts.',
  remarkThreshold: ({ threshold, isDefault }: { threshold: string; isDefault: boolean }): string =>
    `The ${isDefault ? 'default ' : ''}threshold is ${threshold}.`,
  remarkFew: ({ threshold, few }: { threshold: string; few: number }): string =>
    `The threshold is ${threshold}, since a text has fewer than ${few} features.`,
  remarkEstimate: ({ near }: { near: boolean }): string =>
    `Judged by the sketches alone, they would ${near ? '' : 'not '}be near-duplicates: the estimate is on the other side of the threshold.`,
  quotes: ({ share, units, side }: { share: string; units: string; side: Side }): string =>
    `But ${share} of the ${units} of the ${side === 'a' ? 'first' : 'second'} text are in the ${
      side === 'a' ? 'second' : 'first'
    }, which seems to quote it.`,
  remarkShort: ({ few }: { few: number }): string =>
    `A text of fewer than ${few} features is short: one changed word would change most of it. So it matches only texts with the same words and symbols.`,
  rawNote:
    'SimHash fails with this scheme. FNV-1 multiplies before it adds the last byte, so the last byte of a bigram changes only the lowest eight bits of its hash, and the byte before it only a few more. On all other bits, every bigram of every text votes the same way.',
  useFinaliser: 'Switch the finaliser on',

  remarkDisregarded: ({ n }: { n: number }): string =>
    `Repetitions, accents, apostrophes and words broken at line ends make no difference here. Fingerprints do not ignore them: ${n} ${s(n, 'bit differs', 'bits differ')}.`,

  flipTitle: 'Why a bit flipped',
  stripLabel: ({ distance, bits }: { distance: number; bits: number }): string =>
    `Bits of both fingerprints: ${distance} of ${bits} differ`,
  cellLabel: ({
    bit,
    a,
    b,
    sums,
  }: {
    bit: number;
    a: number;
    b: number;
    sums: { a: string; b: string } | undefined;
  }): string => {
    const values = a === b ? `is ${a} in both texts` : `differs: ${a} in the first text, ${b} in the second`;
    return `Bit ${bit} ${values}.${sums ? ` The sums are ${sums.a} and ${sums.b}.` : ''}`;
  },
  legend: 'Filled is 1, hollow is 0. Red bits differ: the first text upper left, the second lower right.',
  legendSize: 'Larger: more votes.',
  wordsVote: 'Each word and each pair of words votes on every bit.',
  featuresVote: ({ units }: { units: string }): string => `The ${units} of a text vote on every bit.`,
  pointAtOne: 'Point at one.',
  tapOne: 'Tap one.',
  bitWas: ({ bit, value, votes }: { bit: number; value: number; votes: number }): string =>
    `Bit ${bit} was ${value}${votes === 0 ? ` in ${tie}` : ` by ${votes} ${s(votes, 'vote')}`}.`,
  bitStays: ({ bit, value, from, to }: { bit: number; value: number; from: string; to: string }): string =>
    `Bit ${bit} is ${value} in both texts, with ${from} and ${to} votes.`,
  /** `turn` is the sum before the changes that move it back, and `value` the new value. */
  movedIt: ({
    from,
    turn,
    to,
    value,
    isTie,
  }: {
    from: string;
    turn: string | undefined;
    to: string;
    value: number | undefined;
    isTie: boolean;
  }): string => {
    const way = turn === undefined ? to : `${turn}, and {against} back to ${to}`;
    const end = value === undefined ? (isTie ? `: ${tie}` : '') : `: it is now ${value}${isTie ? ` in ${tie}` : ''}`;
    return `{towards} moved it from ${from} to ${way}${end}.`;
  },
  movesCancel: '{moves} cancel out.',
  changesTooMany: ({ from, to }: { from: string; to: string }): string =>
    `It is at ${from} in the first text and at ${to} in the second. The texts are too long to find the words that moved it.`,
  otherChanges: 'other changes',
  moreChanges: ({ count }: { count: string }): string => `${count} other changes`,
  listAnd: ' and ',
  listComma: ', ',
  numberLine: 'The votes, from the first text to the second',
  votesUnknown: 'The votes are unknown without the texts.',
  wordVotes: ({ n, features }: { n: number; features: string[] }): string =>
    n === 0 ? '{word} does not vote.' : `{word} votes as ${features.map((feature) => `“${feature}”`).join(', ')}.`,
  wordFlips: ({ bits }: { bits: number[] }): string =>
    bits.length === 0
      ? '{change} flipped no bit.'
      : `{change} helped to flip ${s(bits.length, 'bit')} ${bits.join(', ')}.`,
  wordLights: 'A bit is lit in its upper half by votes for 1, and in its lower half by votes for 0.',
  textKey: ({ bit }: { bit: number }): string =>
    `Underlined words differ. The yellow ones moved bit ${bit}: the stronger, the more.`,
  moved: 'moved',

  detailsTitle: 'Numbers and all votes',
  votes: 'Votes',
  votersOf: ({ bit }: { bit: number }): string => `All votes on bit ${bit}`,
  votesForOne: 'Votes for 1',
  votesForZero: 'Votes for 0',
  sumOf: ({ ones, zeros, sum }: { ones: string; zeros: string; sum: string }): string => `${ones} − ${zeros} = ${sum}`,
  moreVoters: ({ count }: { count: string }): string => `Show more (${count} left)`,
  noVotes: 'nothing',

  estimate: 'The sketches would say',
  estimateHint:
    'An estimate from 64 bytes for each text, with the largest standard error. “Find duplicates” compares by it.',
  containmentA: 'First text contained in the second',
  containmentB: 'Second text contained in the first',
  containmentHint: ({ units }: { units: string }): string => `The share of one text’s ${units} that the other has.`,

  schemeTitle: 'Settings',
  schemeExplain:
    'The choices that determine a fingerprint. Only fingerprints of the same scheme can be compared, so each scheme has an id.',
  schemeLine: ({ share, units, bits }: { share: string; units: string; bits: number }): string =>
    `${share} of the ${units} · ${bits} bits`,
  schemeReset: 'Reset to default',
  schemeRaw: 'Raw FNV-1 of character pairs',
  threshold: 'Threshold',
  thresholdHint: ({ units }: { units: string }): string =>
    `Two texts are near-duplicates if at least this share of their ${units} is in common. A higher threshold misses near-duplicates, a lower one finds false ones.`,
  thresholdValue: ({ share, units }: { share: string; units: string }): string => `${share} of the ${units}`,
  bits: 'Width',
  bitsHint: 'More bits separate texts better. A narrow fingerprint is the low half of a wide one.',
  'bits:32': '32 bits',
  'bits:64': '64 bits',
  'bits:128': '128 bits',
  features: 'Features',
  featuresHint: 'What votes. Longer features depend more on the order of the words.',
  'features:grams': 'words and word pairs (default)',
  'features:words': 'words',
  'features:words2': '2 consecutive words',
  'features:words3': '3 consecutive words',
  'features:chars2': 'character bigrams',
  'features:chars3': '3 consecutive characters',
  'features:chars5': '5 consecutive characters',
  'units:grams': 'word pairs',
  'units:words': 'words',
  'units:words2': 'word pairs',
  'units:words3': 'word triples',
  'units:chars2': 'character pairs',
  'units:chars3': 'character triples',
  'units:chars5': 'groups of 5 characters',
  hash: 'Hash',
  hashHint: 'Turns a feature into its votes. FNV-1a swaps the two steps of FNV-1.',
  'hash:fnv1': 'FNV-1 (default)',
  'hash:fnv1a': 'FNV-1a',
  mix: 'Finaliser',
  mixHint:
    'Spreads each bit of the hash over all bits. Without it, fingerprints of unrelated texts are similar. 128 bits require it.',
  weights: 'Weights',
  weightsHint: 'The weight of a repeated feature. With the logarithm, frequent words do not outvote the others.',
  'weights:log': 'log of the count (default)',
  'weights:tf': 'the count',
  'weights:binary': '1',
  normalize: 'Normalisation',
  normalizeHint: 'Removes differences of case, width, compatibility forms and invisible characters.',
  'normalize:nfkc-casefold': 'NFKC case folding (default)',
  'normalize:none': 'none',

  useTitle: 'In your code',
  useExplain: 'JavaScript with the settings of this page, for Node, Deno, Bun, Workers and browsers.',
  notPublished: '(not published yet)',
  fromClone: 'Not published yet: npm run build && npm pack ./pkg in a clone makes a package to install.',
  codeLabel: 'Code with the current settings',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Selected: copy it now',
  links: 'Links',
  documentation: 'Documentation',
  repository: 'Repository',
  npm: 'npm',

  duplicatesTitle: 'Which texts are near-duplicates?',
  duplicatesLead:
    'Each text gets a sketch of 80 bytes, which estimates how much of two texts is in common. The first text of each cluster is kept; the others are its near-duplicates.',
  collections: 'Try',
  collectionReal: '159 real documents in six languages',
  sampleLicencesLink: 'Where the documents come from',
  lines: 'Texts, one per line, or JSON or a table',
  linesPlaceholder: 'Paste lines, JSON Lines, a JSON array, CSV or TSV, or drop files here',
  limits: ({ megabytes }: { megabytes: number }): string =>
    `Lines, JSON Lines, a JSON array, CSV or TSV. If you choose several text files, each is one text. Files may be gzipped. At most ${megabytes} MB.`,
  readAs: 'Read as',
  formatAuto: 'what it looks like',
  formatLines: 'lines',
  formatJsonl: 'JSON Lines',
  formatJson: 'a JSON array',
  formatTable: 'CSV or TSV',
  textFrom: 'Text from',
  suspected: ({ format }: { format: string }): string =>
    `Each line was read as a text, but the lines look like ${format}.`,
  readAsThat: 'Read them as that',
  chooseFiles: 'Choose files',
  sourceFiles: ({ name, more, size }: { name: string; more: number; size: string }): string =>
    `${name}${more > 0 ? ` and ${more} more ${s(more, 'file')}` : ''}, ${size}`,
  sourceSample: 'sample.jsonl: 159 real documents',
  sourceStart: 'The start of the source',
  useLines: 'Write lines instead',
  find: 'Find duplicates',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Your lines are unchanged.',
  taken: ({ n, count, format }: { n: number; count: string; format: string }): string =>
    `${count} ${s(n, 'text')}, read as ${format}.`,
  tooFew: 'Enter at least two texts.',
  nothingRead: 'No texts were found.',
  brokenLines: ({ lines }: { lines: number[] }): string =>
    `Skipped ${s(lines.length, 'line')} ${few(lines)}: not JSON with a text, or not a row of the table.`,
  unreadRest: ({ line }: { line: number }): string =>
    `Line ${line} is the last that could be read: after it a quotation mark is missing, or a row is too long.`,
  encoding: 'Encoding',
  chooseEncoding: 'Choose the encoding of the file above.',
  noticeDamaged: ({ n, count, total }: { n: number; count: string; total: string }): string =>
    `${count} of ${total} texts ${s(n, 'contains', 'contain')} U+FFFD (\ufffd), which a program puts in place of bytes that it cannot read: was the encoding right when the file was made?`,
  noticeBlank: ({ n, count, total }: { n: number; count: string; total: string }): string =>
    `${count} of ${total} texts ${s(n, 'has', 'have')} no words, so nothing resembles them: are the field and the encoding right?`,
  noticeBreaks: ({ n, count, rows }: { n: number; count: string; rows: string }): string =>
    `${count} ${s(n, 'line break is', 'line breaks are')} inside quotation marks, in ${rows} rows: a stray quotation mark swallows the rows after it.`,
  noticeCopies: ({ count, total, name }: { count: string; total: string; name: string }): string =>
    `${count} of ${total} texts have the words of ${name}: is it an error page, or the wrong field?`,
  noticeFamily: ({
    count,
    total,
    name,
    share,
  }: {
    count: string;
    total: string;
    name: string;
    share: string;
  }): string =>
    `${count} of ${total} texts are near-duplicates of ${name}; the least similar has ${share} in common with it. If they say different things, set a higher threshold.`,
  sampleMissing: 'The sample could not be loaded. Are you offline?',
  viewMissing: 'This view could not be loaded. Are you offline?',
  reading: ({ share }: { share: string }): string => `Reading the texts: ${share}`,
  sketching: ({ share }: { share: string }): string => `Sketching the texts: ${share}`,
  searching: ({ share }: { share: string }): string => `Finding duplicates: ${share}`,
  foundVerdict: ({
    total,
    dropped,
    clusters,
    threshold,
    units,
    number,
  }: {
    total: number;
    dropped: number;
    clusters: number;
    threshold: string;
    units: string;
    number: (value: number) => string;
  }): string =>
    dropped === 0
      ? `All ${number(total)} texts are kept: no two have ${threshold} of their ${units} in common.`
      : `${number(total - dropped)} of ${number(total)} texts are kept; ${number(dropped)} ${s(
          dropped,
          'is a near-duplicate',
          'are near-duplicates',
        )}, in ${number(clusters)} ${s(clusters, 'cluster')}, with at least ${threshold} of the ${units} in common.`,
  foundTook: ({ sketching, took }: { sketching: string; took: string }): string =>
    `Sketches: ${sketching} ms. Search: ${took} ms.`,
  export: 'Download the kept texts',
  exportReport: 'Download the report',
  missesTitle: 'At the threshold',
  missesExplain:
    'The pairs closest to the threshold. If the texts just above it should be kept, raise the threshold; if the texts just below it should be dropped, lower it.',
  missesAbove: 'Dropped, just above the threshold',
  missesBelow: 'Kept, just below the threshold',
  missesNone: 'None.',
  histogramTitle: 'How much the texts resemble a kept text',
  histogramExplain: ({ units }: { units: string }): string =>
    `Each text but the first, by the share of ${units} that it has in common with the nearest text kept before it: right of the line it is dropped. Drag the line to the threshold that separates near-duplicates from the rest.`,
  histogramBar: ({ share, count, n }: { share: string; count: string; n: number }): string =>
    `${share}: ${count} ${s(n, 'text')}`,
  histogramLabel: ({ near, all }: { near: string; all: string }): string =>
    `Texts by resemblance: ${near} of ${all} are within the threshold.`,
  histogramAxis: ({ most, n }: { most: string; n: number }): string =>
    `Share in common. Texts for which the search found no kept text are at 0%. The height is logarithmic; the tallest bar has ${most} ${s(n, 'text')}.`,
  clustersTitle: 'The clusters',
  clustersExplain: ({ few }: { few: number }): string =>
    `The largest cluster comes first. Each percentage is the estimated share in common with the kept text above it. Choose a text to see how it differs. A text of fewer than ${few} features matches only texts of equal words and symbols.`,
  clusterSize: ({ count, n }: { count: string; n: number }): string => `${count} ${s(n, 'near-duplicate')}`,
  kept: 'kept',
  alike: ({ share }: { share: string }): string => `${share} in common:`,
  moreMembers: ({ count }: { count: string }): string => `Show more (${count} left)`,
  moreClusters: ({ count }: { count: string }): string => `Show more clusters (${count} left)`,
  compareThese: 'Compare these two',
  recipeTitle: 'Do the same elsewhere',
  recipeExplain: 'Each keeps the texts that this page keeps, with the same threshold and scheme.',
  recipeCommand: 'On the command line',
  recipeProgram: 'In a program for Node',
  diffGap: ({ count }: { count: string }): string => `${count} equal characters`,
  diffNone: 'The words are the same.',
};

/** The type of the messages of a language. */
export type Messages = typeof en;
