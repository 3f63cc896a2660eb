# Reads lines of JSON, {"id", "text"}, and prints for each [id, the kept id that MinHash with LSH finds, or null].
# benches/minhash.mjs runs it. Needs `pip install datasketch regex xxhash`.
import json
import sys
import unicodedata

import regex
import xxhash
from datasketch import MinHash, MinHashLSH

DENSE = r"[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]"
word, dense = regex.compile(DENSE + r"|[\p{L}\p{N}\p{M}]+"), regex.compile(DENSE)


def shingles(text):
    words = word.findall(unicodedata.normalize("NFKC", text).lower())
    width = 5 if 2 * sum(1 for each in words if dense.match(each)) > len(words) else 3
    return {" ".join(words[at : at + width]) for at in range(max(1, len(words) - width + 1))}


def xxh32(data):
    return xxhash.xxh32(data).intdigest()


kept = MinHashLSH(threshold=0.7, num_perm=128)
for line in sys.stdin:
    document = json.loads(line)
    minhash = MinHash(num_perm=128, hashfunc=xxh32)
    minhash.update_batch([each.encode() for each in shingles(document["text"])])
    found = kept.query(minhash)
    if not found:
        kept.insert(document["id"], minhash)
    print(json.dumps([document["id"], found[0] if found else None]))
