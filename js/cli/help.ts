// The texts of --help. Each begins with three examples.

const main = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe --index seen.idx --report dropped.jsonl today.jsonl > new.jsonl
  nearprint compare old.txt new.txt

Usage: nearprint COMMAND [OPTIONS] [FILES]

Finds near-duplicate texts by SimHash fingerprints and MinHash sketches.

Commands:
  dedupe     write the lines of JSON Lines that are not near-duplicates of earlier ones
  calibrate  measure on your documents what each threshold drops, wrongly too, and leaves
  compare    print the distance of two texts
  hash       print the fingerprints of texts
  query      print the documents of an index that are near a text

FILES may be gzip, or zstd with Node 22.15 or newer; - or no file is standard input. Data goes to standard output,
messages to standard error.
Exit code: 0 success, or near-duplicates (compare); 1 different texts (compare); 2 an error in the usage or in a part
of the input.

  nearprint COMMAND --help  prints the options of a command
  nearprint --version       prints the version
`;

const scheme = `  --bits N             width of the fingerprints: 32, 64 or 128 (default: 64, or the width of the index)
  --scheme ID          another scheme, such as v1:64:words2, instead of --bits
`;
const lines = `  --text-field NAME    the field with the text (default: text)
  --id-field NAME      the field with the id, a string or a whole number (default: id); a line without this field
                       has the id FILE:LINE
`;
const html = `  --html               the texts are HTML pages: use the main text of each. Requires one more package:
                       npm install parse5. A page without text is a bad line
`;
const threads = `  --threads N          worker threads (default: processors minus one, for more than 8 MiB); they do not change the
                       result
`;
const rule = `  --min-resemblance R  the smallest share of word pairs that near-duplicates have in common, above 0 and up to 1
                       (default: 0.67)
  --max-distance N     compare fingerprints only: the most bits in which near-duplicates differ, such as 8 of 64. For
                       up to some ten thousand documents
`;
const reporting = `  --report-html FILE   write a report to look at, one HTML file: the distribution, the pairs at the threshold and the
                       clusters, their texts side by side
  --report-language L  the language of the report: en (default) or zh
  --group-field NAME   the field by which the report counts documents, such as a site (default: source, lang or
                       language, whichever a line has first)
`;
const quiet = `  --quiet              no progress, no summary
`;

const dedupe = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  zcat crawl/*.gz | nearprint dedupe --text-field body --id-field url --report dropped.jsonl > unique.jsonl
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl

Usage: nearprint dedupe [OPTIONS] [FILES]

Reads JSON Lines and writes, unchanged, the lines that are not near-duplicates of a kept line. Texts with fewer than 16
different features (some eight words) are duplicates only if they have the same words.

Options:
${rule}  --keep first|longest the near-duplicate to keep (default: first); longest holds all lines in memory
  --report FILE        write {"id", "duplicateOf", "resemblance", "distance"} for each dropped line
  --index FILE         compare with the documents in this index too, if the file exists, and save it with the kept
                       documents. A document with an id that the index already has may have another text. A second
                       run with the same index waits for the first
  --checkpoint N       seconds after which the index is saved during the work too (default: 60); with --keep longest
                       only at the end
  --store URL          compare with the documents in this store and add the kept ones. Other processes may use it at
                       once. sqlite:FILE (before Node 22.13: npm install better-sqlite3), postgres://... (npm install
                       pg) or redis://... (npm install redis). A line that the store holds under its own id is
                       written again, so that a run can be repeated
${reporting}${lines}${html}${scheme}${threads}${quiet}
A bad line is reported as FILE:LINE and skipped; the exit code is then 2. A line of more than 256 MiB is a bad line.
After Ctrl+C, a hangup or a full disk, the output ends with a whole line, and the index has exactly the lines that were
written. A pipe takes lines that the next program (head, say) may never read: the index has them too. After a crash or
a power cut, the index has the state of the last checkpoint and no document whose line is missing; the next run writes
the lines after it again.
`;

const calibrate = `Examples:
  nearprint calibrate pages.jsonl.gz
  nearprint calibrate --report-html report.html --expect 1000000 pages.jsonl
  nearprint calibrate --labels pairs.tsv --text-field body pages.jsonl

Usage: nearprint calibrate [OPTIONS] [FILES]

Reads JSON Lines and prints, for each --min-resemblance from 0.5 to 0.95, how many documents dedupe drops, how many of
them wrongly, and how many near-duplicates it leaves, with the ranges in which these numbers lie, and recommends one.
It needs no labels: the truth is the exact resemblance of the texts. Nothing is written but the report.

Options:
  --expect N           the number of documents to expect later (default: the number in the input). The figures are
                       extrapolated to it
  --sample N           the most documents to examine, chosen at random (default: 100000)
  --different R        a drop is wrong if the exact resemblance to every kept document is below this (default: 0.55)
  --same R             a near-duplicate is left if it was kept though its exact resemblance to an earlier kept document
                       is at least this (default: 0.75)
  --labels FILE        your own verdicts: in each line two ids and "same" (default) or "different", separated by tabs
  --json               print the figures as JSON
${reporting}${lines}${html}  --scheme ID          another scheme, such as v1:64:words2
${threads}${quiet}
A bad line is reported as FILE:LINE and skipped; the exit code is then 2.
`;

const compare = `Examples:
  nearprint compare old.txt new.txt
  nearprint compare --min-resemblance 0.9 a.txt b.txt && echo almost the same
  nearprint compare --html page.html mirror.html

Usage: nearprint compare [OPTIONS] A B

Prints the estimated resemblance and the distance of the texts of two files. One may be -, standard input. Exit code 0
if they are near-duplicates, else 1.

Options:
${rule}${html}${scheme}${quiet}`;

const hash = `Examples:
  nearprint hash *.txt
  nearprint hash --jsonl pages.jsonl.gz > fingerprints.jsonl
  echo 'Hello, world' | nearprint hash --format signed

Usage: nearprint hash [OPTIONS] [FILES]

Prints the fingerprint of each file, two spaces and the file's name.

Options:
  --format FORMAT      hex (default), decimal, or signed (for SQL's bigint)
  --sketch             print the sketch instead of the fingerprint, in hexadecimal
  --jsonl              read JSON Lines and print {"id", "fingerprint"} or {"id", "sketch"} for each line
${lines}${html}${scheme}${threads}${quiet}`;

const query = `Examples:
  nearprint query seen.idx article.txt
  nearprint query seen.idx --jsonl today.jsonl
  nearprint query seen.idx < article.txt

Usage: nearprint query [OPTIONS] INDEX [FILES]

Prints {"id", "near": [{"id", "resemblance", "distance"}]} for each file: the document of the index that it resembles
most, if it is a near-duplicate of that. Of an index that was made with --max-distance, it prints all documents within
the distance, the nearest first.

Options:
  --max-distance N     the largest distance (default: the distance of the index); for an index made with --max-distance
  --limit N            the most documents for each text (default: all)
  --jsonl              read JSON Lines and print one result for each line
${lines}${html}${threads}${quiet}`;

/** The text for each command, and `main` for the program. */
export const help: Readonly<Record<'main' | 'dedupe' | 'calibrate' | 'compare' | 'hash' | 'query', string>> = {
  main,
  dedupe,
  calibrate,
  compare,
  hash,
  query,
};
