// The texts of --help. Each fits two screens of 80 columns and 24 lines.
import type { Command } from './args.js';

const short = `nearprint finds near-duplicate texts.

  nearprint dedupe pages.jsonl > unique.jsonl   drop near-duplicates
  nearprint compare old.txt new.txt             compare two texts
  nearprint --help                              all commands
`;

const main = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl
  nearprint compare old.txt new.txt

Usage: nearprint COMMAND [OPTIONS] [FILES]

Finds near-duplicate texts by SimHash fingerprints and MinHash sketches.

Commands:
  dedupe     write the documents that are not near-duplicates of earlier ones
  clusters   write the groups of near-duplicates
  calibrate  measure on your documents what each threshold drops and leaves
  compare    print how much two texts resemble each other
  hash       print the fingerprints or sketches of texts
  query      print the documents of an index that resemble a text
  index      look at an index file, or change it

FILES may be gzip, or zstd with Node 22.15 or newer; - or no file is standard
input. Data goes to standard output, messages to standard error.

Exit code: 0 success, or near-duplicates (compare); 1 different texts
(compare), or duplicates found (dedupe --fail-on-duplicates); 2 an error in the
usage or in a part of the input.

  nearprint COMMAND --help  prints the options of a command
  nearprint --version       prints the version
`;

/** The options of the input. */
const input = `  -f, --format FORMAT    jsonl, json, csv, tsv, text or html (default: by name)
      --delimiter CHAR   the delimiter of a table (default: as in the header)
      --files-from FILE  read further paths from FILE, one in each line
  -t, --text-field NAME  the text: a field, a path such as content.text, or
                         several with commas in between (default: text)
      --id-field NAME    the id (default: id); without one it is FILE:LINE
      --html             texts are HTML pages (npm install parse5)
`;

const dedupe = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe -t title,body -r dropped.jsonl crawl.csv > unique.csv
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl

Usage: nearprint dedupe [OPTIONS] [FILES]

Writes the documents that are new or changed, byte for byte: lines of JSON Lines
or of a JSON array, rows of CSV or TSV, or the paths of text and HTML files.
FILES may be folders and patterns.

Input:
${input}Rule:
  -m, --min-resemblance R  smallest share of word pairs in common (default 0.67)
  -k, --keep WHICH       of near-duplicates, keep the first (default) or longest
      --keep-max FIELD   keep the largest number or latest date in a field
      --keep-min FIELD   keep the smallest number or earliest date
References:
  -a, --against FILE     compare with an index too; it does not change
      --against-only     do not compare the documents with each other
  -i, --index FILE       compare with an index, and add what is written
  -s, --store URL        the same with sqlite:FILE, postgres:// or redis://
      --expire TIME      forget documents of --index or --store after TIME: 30d
      --checkpoint N     save the index every N seconds (default: 60)
Output:
  -v, --duplicates       write only what is dropped
      --annotate         write all, with status, duplicateOf and resemblance
  -c, --count            write only the numbers of documents
  -r, --report FILE      write a line of JSON for each near-duplicate
      --report-html FILE, --report-language en|zh, --group-field NAME
                         write a report for people, which counts by a field
      --json-summary FILE    write the numbers of documents as JSON
      --fail-on-duplicates   exit with code 1 if there are any
  -j, --threads N, --scheme ID, --bits N, --key-file FILE, -q, --quiet
`;

const clusters = `Examples:
  nearprint clusters pages.jsonl.gz > clusters.jsonl
  nearprint clusters --annotate -t title,body crawl.csv > numbered.csv
  nearprint clusters -m 0.9 folder/

Usage: nearprint clusters [OPTIONS] [FILES]

Prints a line of JSON for each group of near-duplicates, the largest first: its
"size", its "representative", and its "members" with their "id" and their
"resemblance" to the representative. FILES may be folders and patterns.

Options:
  -m, --min-resemblance R  smallest share of word pairs in common (default 0.67)
      --linkage WHICH    star (default): every member resembles the document
                         that has the most near-duplicates; or single: near-
                         duplicates are always together, and groups can chain
      --annotate         write all documents instead, with the number of their
                         "cluster", from 1 on; null (no value) for no cluster
${input}      --scheme ID        another scheme, such as v1:64:words2
      --key-file FILE    the 16 bytes of a secret key for the scheme
  -j, --threads N        worker threads (default: processors minus one)
  -q, --quiet            no progress, no summary
`;

const calibrate = `Examples:
  nearprint calibrate pages.jsonl.gz
  nearprint calibrate --report-html report.html --expect 1000000 pages.jsonl
  nearprint calibrate --labels pairs.tsv --text-field body pages.jsonl

Usage: nearprint calibrate [OPTIONS] [FILES]

Prints, for each --min-resemblance from 0.5 to 0.95, how many documents dedupe
drops, how many of them wrongly, and how many near-duplicates it leaves, with
the ranges of these numbers, and recommends one. It needs no labels: the truth
is the exact resemblance of the texts.

Options:
      --expect N         extrapolate to this number of documents
      --sample N         examine at most N documents, at random (default 100000)
      --different R      a drop is wrong if the exact resemblance to every kept
                         document is below R (default: 0.55)
      --same R           a near-duplicate is left if it is kept though its exact
                         resemblance to an earlier one is at least R (0.75)
      --labels FILE      your own verdicts: in each line two ids and "same"
                         (default) or "different", separated by tabs
      --json             print the figures as JSON
      --report-html FILE, --report-language en|zh, --group-field NAME
                         write a report for people, which counts by a field
  -f, --format, --delimiter, --files-from, -t, --text-field, --id-field, --html
                         the input, as for dedupe
      --scheme ID        another scheme, such as v1:64:words2
      --key-file FILE    the 16 bytes of a secret key for the scheme
  -q, --quiet            no progress, no summary
`;

const compare = `Examples:
  nearprint compare old.txt new.txt
  nearprint compare -m 0.9 a.txt b.txt && echo almost the same
  nearprint compare --html page.html mirror.html

Usage: nearprint compare [OPTIONS] A B

Prints the estimated resemblance and the distance of the texts of two files. One
may be -, standard input. Exit code 0 if they are near-duplicates, else 1.

Options:
  -m, --min-resemblance R  smallest share of word pairs in common (default 0.67)
      --html             the files are HTML pages (npm install parse5)
      --bits N           width of the fingerprints: 32, 64 (default) or 128
      --scheme ID        another scheme, such as v1:64:words2, instead of --bits
      --key-file FILE    the 16 bytes of a secret key for the scheme
  -q, --quiet            no messages
`;

const hash = `Examples:
  nearprint hash *.txt
  nearprint hash --jsonl pages.jsonl.gz > fingerprints.jsonl
  echo 'Hello, world' | nearprint hash --format signed

Usage: nearprint hash [OPTIONS] [FILES]

Prints the fingerprint of each file, two spaces and the file's name.

Options:
  -f, --format FORMAT    hex (default), decimal, or signed (for SQL's bigint)
      --sketch           print sketches instead, in hexadecimal
      --jsonl            read JSON Lines (or CSV and TSV, by name), and print
                         {"id", "fingerprint"} or {"id", "sketch"} for each line
  -t, --text-field NAME  the field with the text (default: text)
      --id-field NAME    the field with the id (default: id)
      --html             texts are HTML pages (npm install parse5)
      --bits N           width of the fingerprints: 32, 64 (default) or 128
      --scheme ID        another scheme, such as v1:64:words2, instead of --bits
      --key-file FILE    the 16 bytes of a secret key for the scheme
  -j, --threads N        worker threads (default: processors minus one)
  -q, --quiet            no messages
`;

const query = `Examples:
  nearprint query seen.idx article.txt
  nearprint query seen.idx --jsonl today.jsonl
  nearprint query seen.idx -m 0.5 --limit 3 < article.txt

Usage: nearprint query [OPTIONS] INDEX [FILES]

Prints {"id", "near": [{"id", "resemblance", "distance"}]} for each file: the
documents of the index that it is a near-duplicate of, the most similar first.

Options:
  -m, --min-resemblance R  smallest share of word pairs in common (default 0.67)
      --limit N          the largest number of documents (default: 1)
      --jsonl            read JSON Lines (or CSV and TSV, by name), and print
                         one result for each line
  -t, --text-field NAME  the field with the text (default: text)
      --id-field NAME    the field with the id (default: id)
      --html             texts are HTML pages (npm install parse5)
      --key-file FILE    the 16 bytes of a secret key, if the index has one
  -j, --threads N        worker threads (default: processors minus one)
  -q, --quiet            no messages
`;

const index = `Examples:
  nearprint index stats seen.idx
  nearprint index delete seen.idx https://example.org/removed
  nearprint index merge all.idx monday.idx tuesday.idx

Usage: nearprint index ACTION FILE [OPTIONS]

Looks at an index of dedupe --index, or changes it. A change waits for the runs
that use the file, and replaces it at once.

Actions:
  stats FILE             print the number of documents, and of those that expire
  export FILE            print {"id", "sketch"} for each document, and "expires"
  delete FILE [IDS]      delete documents by their ids
  merge FILE FILES       add the documents of FILES; of equal ids, the last wins
  prune FILE             delete the documents that have expired

Options:
      --ids FILE         delete the ids in FILE too, one in each line
      --json             print the stats as JSON
  -q, --quiet            no messages
`;

/** The text for each command, `main` for the program, and `short` for the program without arguments. */
export const help: Readonly<Record<Command | 'main' | 'short', string>> = {
  short,
  main,
  dedupe,
  clusters,
  calibrate,
  compare,
  hash,
  query,
  index,
};
