// The page's words in English. What depends on values is a function of them.

const s = (n, one, many = `${one}s`) => (n === 1 ? one : many);
const others = (more) => (more > 0 ? ` The same goes for ${more} other ${s(more, 'file')}.` : '');

/** The first few of many numbers. */
const few = (list) => list.slice(0, 5).join(', ') + (list.length > 5 ? ` and ${list.length - 5} more` : '');

export const en = {
  title: 'nearprint: see why two texts are near-duplicates',
  skip: 'Skip to the content',
  views: 'Views',
  compareView: 'Compare two texts',
  duplicatesView: 'Find duplicates',
  language: 'Language',
  theme: 'Colours',
  themeAuto: 'System colours',
  themeLight: 'Light',
  themeDark: 'Dark',
  share: 'Share',
  shared: ({ copied, whole, view }) => {
    const where = copied ? 'The address is copied.' : 'The address is in the address bar.';
    if (view === 'duplicates') {
      return whole
        ? `${where} It holds the pasted lines and the recipe; files are not in it.`
        : `${where} The lines are too long for an address: it holds the recipe only.`;
    }
    return whole
      ? `${where} It holds both texts.`
      : `${where} The texts are too long for an address: it holds their fingerprints only.`;
  },
  sharedOtherFormat: 'This address was made by another version of the page and cannot be read. Nothing has changed.',
  sharedDamaged: 'This address is damaged: a part of it is missing or altered. Nothing has changed.',
  sharedPrintsOnly:
    'This address holds the fingerprints of two texts, not the texts, which were too long for it. Type or drop texts to compare others.',
  promise:
    'Your text never leaves this page. Everything is computed here, by WebAssembly in your browser, and the page is not allowed to send anything anywhere.',
  promiseShort: 'Your text never leaves this page.',
  offlineReady: 'The page now works offline, too.',
  failed: ({ message }) => `That did not work: ${message}`,
  working: 'Working …',

  compareTitle: 'The same text, but for a few words?',
  compareLead:
    'SimHash turns a text into a fingerprint. Each word and each pair of words casts a vote on every bit, and the majority decides. Change a few words and few majorities tip: so the fewer bits differ, the more alike the texts are.',
  samples: 'Try',
  sampleNews: 'An edited news item',
  sampleLicences: 'Two licences',
  sampleChinese: 'Chinese, a few words changed',
  sampleJapanese: 'Japanese',
  sampleEmoji: 'Emoji',
  sampleUnrelated: 'Unrelated texts',
  sampleRaw: 'Unrelated, yet near: raw FNV-1',
  firstText: 'First text',
  secondText: 'Second text',
  characters: ({ count, n }) => `${count} ${s(n, 'character')}. Type, or drop a text or HTML file of up to 4\u00a0MB.`,
  'choose-a': 'Choose a file for the first text',
  'choose-b': 'Choose a file for the second text',
  fileTooLarge: ({ name, size, limit, more = 0 }) =>
    `“${name}” has ${size} MB; there is room for ${limit} MB. Your text is as it was.${others(more)}`,
  fileUnreadable: ({ name, more = 0 }) =>
    `“${name}” cannot be read. Is it a folder, or has it been moved? Your text is as it was.${others(more)}`,
  fileBinary: ({ name, more = 0 }) =>
    `“${name}” is not a text file: it holds bytes that no text has. Your text is as it was.${others(more)}`,

  textMissing: 'Put a text on each side.',
  verdictEmpty: 'A text without a single word casts no votes: there is nothing to compare.',
  verdictSame: 'No bit differs: the same text, as far as a fingerprint can tell.',
  verdict: ({ distance, bits, threshold, isDefault, near }) =>
    `${distance} of ${bits} bits ${s(distance, 'differs', 'differ')}: ${near ? '' : 'not '}near-duplicates at the ${
      isDefault ? 'default ' : ''
    }threshold of ${threshold}.`,
  remarkPrintsOnly: 'Only the fingerprints are known, not the texts.',
  remarkFew: ({ count }) =>
    `One of the texts has only ${count} ${s(count, 'feature')}: so few votes make a fingerprint that says little.`,
  remarkUnrelated: ({ half }) =>
    `Each bit of two unrelated texts is as good as a coin toss, so about ${half} of them differ.`,
  remarkFeatures: ({ a, b }) => `The fingerprints rest on ${a} and ${b} features.`,
  labNote:
    'This is how SimHash fails. FNV-1 multiplies before it mixes in the last byte, so the last of two characters reaches only the lowest eight bits, and the first only a few more. In all the others every bigram votes the same way, whatever the text.',
  labMend: 'Switch the finaliser on',

  bitsTitle: 'The bits',
  bitsExplain:
    'Filled is 1, hollow is 0, and the larger a mark, the clearer the vote. Where the texts disagree, the mark is round. Point at a bit, tap it, or go from bit to bit with the arrow keys.',
  firstPrint: 'First',
  secondPrint: 'Second',
  xorPrint: 'Where they differ',
  printLabel: ({ side, hex }) => `Fingerprint of the ${side === 'a' ? 'first' : 'second'} text: ${hex}`,
  xorLabel: ({ distance, bits }) => `Exclusive or of both fingerprints: ${distance} of ${bits} bits differ`,
  cellLabel: ({ bit, differs, a, b, bitA, bitB }) =>
    `Bit ${bit} ${differs ? 'differs' : 'is equal'}. First: sum ${a}, ${bitA}. Second: sum ${b}, ${bitB}.`,
  bareCellLabel: ({ bit, differs }) => `Bit ${bit} ${differs ? 'differs' : 'is equal'}.`,
  bitName: ({ bit, differs }) => `Bit ${bit} ${differs ? 'differs' : 'is the same in both'}`,
  sumMakes: ({ bit, votes }) => `makes a ${bit}, ${votes} ${s(votes, 'vote')} from flipping`,
  pushedToOne: 'Pushed to 1',
  pushedToZero: 'Pushed to 0',
  noPushers: 'nothing',
  printsOnlyDetail: 'Without the texts there are no votes to show.',

  featuresTitle: 'The features',
  featuresExplain: 'What the texts were cut into, the heaviest first. The number is the weight of its vote.',
  onlyFirst: 'Only in the first',
  inBoth: 'In both',
  onlySecond: 'Only in the second',
  noFeatures: 'None.',
  moreFeatures: ({ shown }) => `The ${shown} heaviest are shown.`,

  numbersTitle: 'The numbers',
  distance: 'Distance',
  distanceHint: 'bits that differ',
  similarity: 'Similarity',
  similarityHint: 'the share of equal bits',
  estimatedCosine: 'Cosine, estimated',
  estimatedCosineHint: 'cos(π · distance / width), all that a fingerprint knows',
  exactCosine: 'Cosine, exact',
  exactCosineHint: 'of the weighted features themselves',
  jaccard: 'Jaccard',
  jaccardHint: 'shared features among all features',
  took: 'Time',
  tookHint: 'for both texts and every number here',
  wasmSize: 'WebAssembly',
  wasmSizeHint: 'the whole engine, uncompressed',

  recipeTitle: 'The recipe',
  recipeExplain: 'Fingerprints compare only if they were made by one recipe, which therefore has a name.',
  recipeReset: 'Back to the default',
  threshold: 'Threshold',
  thresholdHint: 'So many bits may differ between near-duplicates: fewer finds less, more finds what is not one.',
  thresholdValue: ({ threshold, bits }) => `${threshold} of ${bits} bits`,
  bits: 'Width',
  bitsHint: 'More bits tell texts apart more finely; the narrower fingerprint is the low half of the wider.',
  'bits:32': '32 bits',
  'bits:64': '64 bits',
  'bits:128': '128 bits',
  features: 'Features',
  featuresHint: 'What votes: longer pieces notice a changed order, shorter ones forgive it.',
  'features:grams': 'words and word pairs (default)',
  'features:words': 'words',
  'features:words2': 'runs of 2 words',
  'features:words3': 'runs of 3 words',
  'features:chars2': 'character bigrams',
  'features:chars3': 'runs of 3 characters',
  'features:chars5': 'runs of 5 characters',
  hash: 'Hash',
  hashHint: 'Turns a feature into the bits that it votes for; FNV-1a takes the same two steps the other way round.',
  'hash:fnv1': 'FNV-1 (default)',
  'hash:fnv1a': 'FNV-1a',
  mix: 'Finaliser',
  mixHint:
    'Spreads every bit of the hash over all the others; without it unrelated texts come close. 128 bits need it.',
  weights: 'Weights',
  weightsHint: 'What a feature counts that occurs often; the logarithm keeps common words from outvoting the rest.',
  'weights:log': 'log of the count (default)',
  'weights:tf': 'the count',
  'weights:binary': 'one vote each',
  normalize: 'Normalisation',
  normalizeHint: 'Folds case, width, compatibility forms and invisible characters, so that they make no difference.',
  'normalize:nfkc-casefold': 'NFKC case folding (default)',
  'normalize:none': 'none',

  duplicatesTitle: 'Which of these have you seen before?',
  duplicatesLead:
    'Every text gets a fingerprint; an index finds all those that are near to each other. The first of each cluster is kept, the others are its near-duplicates.',
  collections: 'Try',
  collectionReal: '159 real documents in six languages',
  collectionMade: '10,000 made-up notices',
  sampleLicencesLink: 'Where the documents come from',
  lines: 'Texts, one a line',
  linesPlaceholder: 'Paste lines or JSON Lines, or drop a JSON Lines file or a set of text files here',
  limits: ({ megabytes }) =>
    `JSON Lines have an “id” and a “text”. Files of up to ${megabytes} MB together; of several, each is one text.`,
  chooseFiles: 'Choose files',
  find: 'Find duplicates',
  cancel: 'Cancel',
  cancelled: 'Cancelled. Your lines are still here.',
  taken: ({ n, count }) => `${count} ${s(n, 'text')} taken in.`,
  tooFew: 'It takes two texts or more.',
  nothingRead: 'No texts were found in it: what was here before is still here.',
  brokenLines: ({ lines }) =>
    `Left out: ${s(lines.length, 'line')} ${few(lines)} ${s(lines.length, 'is', 'are')} no JSON with a “text”.`,
  blankLines: ({ blank }) => `Left out: ${blank} blank ${s(blank, 'text')}.`,
  sampleMissing: 'The sample could not be loaded. Are you offline?',
  fingerprinting: ({ share }) => `Fingerprints: ${share} %`,
  counting: ({ share }) => `Distances of all pairs: ${share} %`,
  foundVerdict: ({ total, dropped, clusters, threshold, bits, number }) =>
    dropped === 0
      ? `All ${number(total)} texts are kept: no two are within ${threshold} of ${bits} bits.`
      : `${number(total - dropped)} of ${number(total)} texts are kept; ${number(dropped)} ${s(
          dropped,
          'is a near-duplicate',
          'are near-duplicates',
        )}, in ${number(clusters)} ${s(clusters, 'cluster')}, within ${threshold} of ${bits} bits.`,
  foundTook: ({ fingerprints, search }) => `Fingerprints ${fingerprints} ms, index and search ${search} ms.`,
  export: 'Download the kept texts',
  histogramTitle: 'The distances of all pairs',
  histogramExplain:
    'Unrelated pairs make the hill around half the bits, near-duplicates lie at its left foot. Drag the line to where they part.',
  histogramBar: ({ distance, count }) => `${distance}: ${count}`,
  histogramLabel: ({ near, all }) => `Pairs by distance: ${near} of ${all} pairs are within the threshold.`,
  histogramAxis: ({ most }) => `Differing bits. The height is logarithmic; the tallest bar is ${most} pairs.`,
  histogramSample: ({ counted }) => `Counted on an even sample of ${counted} texts.`,
  clustersTitle: 'The clusters',
  clustersExplain: ({ few }) =>
    `The largest first. Choose a text to see in what it differs from the one that is kept. A text of fewer than ${few} features is too short for its fingerprint to tell: it is a duplicate only if its words are the same.`,
  kept: 'kept',
  apart: ({ distance }) => `${distance} ${s(distance, 'bit')} apart:`,
  moreMembers: ({ n, count }) => `and ${count} ${s(n, 'other')}`,
  moreClusters: ({ count }) => `Show more of the ${count} that remain`,
  compareThese: 'Compare these two bit by bit',
  diffGap: ({ count }) => `${count} characters alike`,
  diffNone: 'The two texts are the same, character by character.',
};
