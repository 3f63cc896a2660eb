// The texts of --help. Each fits two screens of 80 columns and 24 lines.
import { type OptionName, options } from './options.js';

const fields = ['text-field', 'id-field', 'scope-field', 'html', 'encoding'] as const;
const input = ['format', 'delimiter', 'quote', 'files-from', 'exclude', ...fields] as const;

interface CommandHelp {
  text: string;
  /** The options that the command takes, by their headings. All commands have --help and --quiet. */
  options: Readonly<Record<string, readonly OptionName[]>>;
  /** Texts for options to which the command gives another meaning. */
  meanings?: Partial<Record<OptionName, string>>;
}

export const commands = {
  dedupe: {
    text: `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe -t title,body -r dropped.jsonl crawl.csv > unique.csv
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl

Usage: nearprint dedupe [OPTIONS] [FILES]

Writes new and changed documents byte for byte: lines, rows, or paths of files.
`,
    options: {
      Input: [...input, 'threads'],
      Rule: ['min-resemblance', 'features', 'key-file', 'ignore', 'keep', 'keep-max', 'keep-min', 'keep-bad'],
      References: ['against', 'against-only', 'index', 'store', 'expire', 'checkpoint'],
      Output: [
        'duplicates',
        'annotate',
        'null',
        'report',
        'report-html',
        'report-language',
        'json-summary',
        'fail-on-duplicates',
      ],
    },
  },
  clusters: {
    text: `Examples:
  nearprint clusters pages.jsonl.gz > clusters.jsonl
  nearprint clusters --annotate -t title,body crawl.csv > numbered.csv
  nearprint clusters -m 0.9 folder/

Usage: nearprint clusters [OPTIONS] [FILES]

Prints a line of JSON for each group of near-duplicates, the largest first: its
"size", its "representative", and its "members" with their "id" and their
"resemblance" to the representative. FILES may be folders and patterns.
`,
    options: {
      Options: [
        'min-resemblance',
        'ignore',
        'linkage',
        'annotate',
        'keep-bad',
        ...input,
        'features',
        'key-file',
        'threads',
      ],
    },
    meanings: {
      annotate:
        'write all documents instead, with the number of their "cluster", from 1 on; null (no value) for no cluster',
    },
  },
  calibrate: {
    text: `Examples:
  nearprint calibrate pages.jsonl.gz
  nearprint calibrate --sample 50000 --features chars3 titles.csv
  nearprint calibrate --labels pairs.tsv --text-field body pages.jsonl

Usage: nearprint calibrate [OPTIONS] [FILES]

Prints how many documents resemble an earlier one by each --min-resemblance from
0.5 to 0.95, by the exact resemblance; and pairs of documents of each interval,
with the words that differ.
`,
    options: {
      Options: ['sample', 'labels', 'json', 'ignore', ...input, 'features', 'key-file'],
    },
  },
  compare: {
    text: `Examples:
  nearprint compare old.txt new.txt
  nearprint compare -m 0.9 a.txt b.txt && echo almost the same
  nearprint compare --html page.html mirror.html

Usage: nearprint compare [OPTIONS] A B

Prints the exact and the estimated resemblance of the texts of two files, and
how much of each is in the other. A or B may be -, for standard input. Exit code
0 if they are near-duplicates, else 1.
`,
    options: { Options: ['min-resemblance', 'ignore', 'html', 'encoding', 'features', 'key-file'] },
  },
  hash: {
    text: `Examples:
  nearprint hash *.txt
  nearprint hash --jsonl pages.jsonl.gz > fingerprints.jsonl
  echo 'Hello, world' | nearprint hash --format signed

Usage: nearprint hash [OPTIONS] [FILES]

Prints the fingerprint of each file, two spaces and the file's name; with
--sketch its sketch, in hexadecimal. With --jsonl, {"id", "fingerprint"} or
{"id", "sketch"} for each document. --sketch --jsonl --format signed prints the
numbers of a sketch for SQL: {"position", "id", "first", "second", "keys",
"level", "counts", "odd", "exact"}; docs/batch.md explains them.
`,
    options: { Options: ['format', 'sketch', 'jsonl', 'ignore', ...fields, 'bits', 'scheme', 'key-file', 'threads'] },
    meanings: { format: "hex (default), decimal, or signed (for SQL's bigint)" },
  },
  text: {
    text: `Examples:
  nearprint text page.html
  nearprint text --encoding windows-1251 --html archive/
  nearprint text --format csv -t title,body crawl.csv

Usage: nearprint text [OPTIONS] [FILES]

Prints what the other commands compare: the main text of pages, and the texts of
the fields of documents. If there are several texts, a line ==> FILE:LINE <==
precedes each. Without --format, standard input is one text.
`,
    options: { Options: ['ignore', ...input] },
  },
  index: {
    text: `Examples:
  nearprint index stats seen.idx
  nearprint index delete seen.idx https://example.org/removed
  nearprint index prune seen.idx

Usage: nearprint index ACTION FILE [OPTIONS]

Prints or changes an index of dedupe --index. A change waits for the runs that
use the file, and replaces the whole file in one step.

Actions:
  stats FILE             print the number of documents, and of those that expire
  delete FILE [IDS]      delete documents by their ids
  prune FILE             delete the documents that have expired
`,
    options: { Options: ['json'] },
  },
} satisfies Record<string, CommandHelp>;

export type Command = keyof typeof commands;

export const isCommand = (name: string): name is Command => Object.hasOwn(commands, name);

export const optionNamesOf = (command: Command): OptionName[] => [
  ...Object.values(commands[command].options).flat(),
  'quiet',
  'help',
];

export const shortHelp = `nearprint finds near-duplicate texts.

  nearprint dedupe pages.jsonl > unique.jsonl   drop near-duplicates
  nearprint compare old.txt new.txt             compare two texts
  nearprint --help                              all commands
`;

export const mainHelp = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl
  nearprint compare old.txt new.txt

Usage: nearprint COMMAND [OPTIONS] [FILES]

Finds near-duplicate texts: texts that are the same except for edits.

Commands:
  dedupe     write the documents that are not near-duplicates of earlier ones
  clusters   write the groups of near-duplicates
  calibrate  count the near-duplicates of each threshold, and print pairs
  compare    print how much two texts resemble each other
  text       print what is compared, such as the main text of a page
  hash       print the fingerprints or sketches of texts
  index      print the counts of an index file, or delete documents

FILES may be gzip; - or no file is standard input. Data goes to standard output,
messages to standard error.

Exit code: 0 success, or near-duplicates (compare); 1 different texts
(compare), or duplicates found (dedupe --fail-on-duplicates); 2 a usage error, or
lines or files with an error, while the rest is read.

  nearprint COMMAND --help  prints the options of a command
  nearprint --version       prints the version
`;

/** The width of the lines, and the column where the meanings of options begin. */
const [WIDTH, COLUMN] = [80, 25];

function linesOf(name: OptionName, meaning: string): string {
  const option = options[name];
  const value = option.kind === 'flag' ? '' : option.valueName;
  let line = `  ${option.letter === undefined ? '   ' : `-${option.letter},`} --${name} ${value}`
    .trimEnd()
    .padEnd(COLUMN - 2);
  let text = '';
  for (const word of `  ${meaning}`.split(/(?<=\S) /)) {
    if (line.length + 1 + word.length > WIDTH) {
      text += `${line}\n`;
      line = ' '.repeat(COLUMN) + word;
    } else {
      line += word.startsWith(' ') ? word : ` ${word}`;
    }
  }
  return `${text}${line}\n`;
}

export function helpOf(command: Command): string {
  const { text, options: headings, meanings = {} }: CommandHelp = commands[command];
  const sections = Object.entries(headings).map(
    ([heading, names]) =>
      `${heading}:\n${names.map((name) => linesOf(name, meanings[name] ?? options[name].help)).join('')}`,
  );
  return `${text}\n${sections.join('')}${linesOf('quiet', options.quiet.help)}`;
}
