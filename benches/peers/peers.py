"""Removes near-duplicates with another package, as its documentation shows, and prints what that took.

    python peers.py rensa|datasketch|simhash DOCUMENTS DROPPED

DOCUMENTS is JSON Lines with `id` and `text`, and optionally `tokens` and `width`. DROPPED gets a line for each dropped
document: its id, a tab, and the id of the kept document. Prints JSON: seconds of processor time, and the peak of the memory
in MB.

All packages get the same features: shingles of `width` tokens. Without `tokens`, these are 3 words, or 5 characters where
most tokens are Han, Kana or Thai, in lower case and Normalization Form KC. The shingles that define the truth also have one
spelling of each word. A document is dropped if it resembles a kept one by .7 or more, the threshold of the truth,
or, for simhash, if the fingerprints differ in at most 3 bits, as its documentation has it.
"""

import argparse
import json
import re
import resource
import unicodedata

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]|[^\W_]+")
DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
THRESHOLD = 0.7
PERMUTATIONS = 128


def tokenize(text):
    """The tokens of a text, and the number of them in a shingle."""
    tokens = TOKEN.findall(unicodedata.normalize("NFKC", text).lower())
    dense = sum(1 for token in tokens if DENSE.match(token))
    return tokens, 5 if 2 * dense > len(tokens) else 3


def shingles(document):
    if "tokens" in document:
        tokens, width = document["tokens"], document["width"]
    else:
        tokens, width = tokenize(document["text"])
    if len(tokens) <= width:
        return [" ".join(tokens)]
    return [" ".join(tokens[at : at + width]) for at in range(len(tokens) - width + 1)]


def best(own, candidates, kept):
    """The most similar candidate, if it is similar enough."""
    found = max(((own.jaccard(kept[id]), -id) for id in candidates), default=(0, 0))
    return -found[1] if found[0] >= THRESHOLD else None


class Rensa:
    def __init__(self):
        from rensa import RMinHash, RMinHashLSH

        self.make = lambda: RMinHash(num_perm=PERMUTATIONS, seed=42)
        # 16 bands of 8 rows: a candidate of resemblance .7 is found with a probability of .61, one of .8 with .95.
        self.lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16)
        self.kept = {}

    def nearest(self, document):
        own = self.make()
        own.update(shingles(document))
        found = best(own, self.lsh.query(own), self.kept)
        if found is None:
            self.lsh.insert(document["id"], own)
            self.kept[document["id"]] = own
        return found


class Datasketch:
    def __init__(self):
        from datasketch import MinHash, MinHashLSH

        self.make = lambda: MinHash(num_perm=PERMUTATIONS)
        self.lsh = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
        self.kept = {}

    def nearest(self, document):
        own = self.make()
        own.update_batch([shingle.encode() for shingle in shingles(document)])
        found = best(own, self.lsh.query(own), self.kept)
        if found is None:
            self.lsh.insert(document["id"], own)
            self.kept[document["id"]] = own
        return found


class Simhash:
    def __init__(self):
        from simhash import Simhash, SimhashIndex

        self.make = Simhash
        self.index = SimhashIndex([], k=3)

    def nearest(self, document):
        own = self.make(shingles(document))
        found = self.index.get_near_dups(own)
        if found:
            return int(min(found, key=int))
        self.index.add(str(document["id"]), own)
        return None


PEERS = {"rensa": Rensa, "datasketch": Datasketch, "simhash": Simhash}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("documents")
    parser.add_argument("dropped")
    options = parser.parse_args()
    peer = PEERS[options.name]()
    with open(options.documents, encoding="utf-8") as lines, open(options.dropped, "w", encoding="utf-8") as out:
        for line in lines:
            document = json.loads(line)
            found = peer.nearest(document)
            if found is not None:
                out.write(f"{document['id']}\t{found}\n")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # Not `ru_maxrss`: it is at least the value of the process that started this one.
    with open("/proc/self/status", encoding="ascii") as status:
        peak = re.search(r"VmHWM:\s*(\d+)", status.read())
    print(json.dumps({"seconds": usage.ru_utime + usage.ru_stime, "megabytes": int(peak[1]) / 1024}))


main()
