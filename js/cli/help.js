// The texts of --help. Each begins with three examples.

const main = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  nearprint dedupe --index seen.idx --report dropped.jsonl today.jsonl > new.jsonl
  nearprint compare old.txt new.txt

Usage: nearprint COMMAND [OPTIONS] [FILES]

Near-duplicate texts, found by their SimHash fingerprints.

Commands:
  dedupe   write each line of JSON Lines that is not a near-duplicate of one before
  compare  tell how far two texts are apart
  hash     print the fingerprints of texts
  query    tell which documents of an index are near a text

FILES may be gzip; - or none is standard input. Data goes to standard output, messages to standard error.
Exit code: 0 done, or near; 1 different (compare); 2 an error in the usage or in part of the input.

  nearprint COMMAND --help  tells more
  nearprint --version       prints the version
`;

const scheme = `  --bits N             width of the fingerprints: 32, 64 or 128 (default: 64, or that of the index)
  --scheme ID          another scheme, such as v1:64:words2, instead of --bits
`;
const lines = `  --text-field NAME    the field with the text (default: text)
  --id-field NAME      the field with the id, a string or a whole number (default: id); a line without one has
                       the id FILE:LINE
`;
const html = `  --html               the texts are HTML pages: take the main text of each. Takes two more packages:
                       npm install @mozilla/readability linkedom
`;
const threads = `  --threads N          worker threads (default: one less than processors, for more than 8 MiB); they change
                       nothing but the time
`;
const quiet = `  --quiet              no progress, no summary
`;

const dedupe = `Examples:
  nearprint dedupe pages.jsonl.gz > unique.jsonl
  zcat crawl/*.gz | nearprint dedupe --text-field body --id-field url --report dropped.jsonl > unique.jsonl
  nearprint dedupe --index seen.idx today.jsonl > new.jsonl

Usage: nearprint dedupe [OPTIONS] [FILES]

Reads JSON Lines and writes those lines, unchanged, that are not near-duplicates of one that is kept. Texts of fewer
than 16 different features (some eight words) are duplicates only if they have the same words.

Options:
  --max-distance N     how many bits of near-duplicates differ (default: 8 of 64, 16 of 128, 4 of 32)
  --keep first|longest which of near-duplicates is kept (default: first); longest holds all lines in memory
  --report FILE        write who duplicates whom: {"id", "duplicateOf", "distance"} for each dropped line
  --index FILE         compare with the documents in this index too, if there is such a file, and save it with what is
                       kept, for the next time. An id that it has from before may come again with another text
${lines}${html}${scheme}${threads}${quiet}
A bad line is reported as FILE:LINE and the rest goes on; the exit code is then 2. After Ctrl+C, a closed pipe or a
full disk, index and report are of the lines that were written.
`;

const compare = `Examples:
  nearprint compare old.txt new.txt
  nearprint compare --max-distance 3 a.txt b.txt && echo the same but for little
  nearprint compare --html page.html mirror.html

Usage: nearprint compare [OPTIONS] A B

Tells how far the texts of two files are apart. One may be -, standard input. Exit code 0 if they are near, else 1.

Options:
  --max-distance N     how many bits of near-duplicates differ (default: 8 of 64, 16 of 128, 4 of 32)
${html}${scheme}${quiet}`;

const hash = `Examples:
  nearprint hash *.txt
  nearprint hash --jsonl pages.jsonl.gz > fingerprints.jsonl
  echo 'Hello, world' | nearprint hash --format signed

Usage: nearprint hash [OPTIONS] [FILES]

Prints the fingerprint of each file, two spaces and the file's name.

Options:
  --format FORMAT      hex (default), decimal, or signed as for SQL's bigint
  --jsonl              read JSON Lines, and print {"id", "fingerprint"} for each
${lines}${html}${scheme}${threads}${quiet}`;

const query = `Examples:
  nearprint query seen.idx article.txt
  nearprint query seen.idx --jsonl today.jsonl
  nearprint query seen.idx --max-distance 3 --limit 1 < article.txt

Usage: nearprint query [OPTIONS] INDEX [FILES]

Prints {"id", "near": [{"id", "distance"}]} for each file: the documents of the index that are near it, the nearest
first. A text of fewer than 16 different features is near only what has the same fingerprint.

Options:
  --max-distance N     how many bits may differ (default: what the index was made for)
  --limit N            the most documents for each text (default: all)
  --jsonl              read JSON Lines, and print the same for each line
${lines}${html}${threads}${quiet}`;

export const help = { main, dedupe, compare, hash, query };
