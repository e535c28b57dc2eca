"""Near duplicates by MinHash and LSH, as the examples of datasketch and rensa find them: pairs whose signatures of 128
say that they resemble each other by 0.9.

    python near.py datasketch|rensa|text-dedup texts.tsv       lines of name, tab, words; writes lines of name, tab, name

text-dedup writes clusters, of what shares a band and without comparing signatures: all pairs of a cluster are its pairs.
"""
import contextlib
import json
import os
import sys
import tempfile

THRESHOLD, SIZE, WORDS = 0.9, 128, 4


def shingles(text):
    words = text.split(" ")
    return {" ".join(words[k : k + WORDS]) for k in range(len(words) - WORDS + 1)}


def by_datasketch(texts):
    from datasketch import MinHash, MinHashLSH

    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=SIZE)
    known = []
    for name, text in texts:
        minima = MinHash(num_perm=SIZE)
        minima.update_batch([shingle.encode() for shingle in shingles(text)])
        for other in lsh.query(minima):
            if known[other][1].jaccard(minima) >= THRESHOLD:
                yield known[other][0], name
        lsh.insert(len(known), minima)
        known.append((name, minima))


def by_rensa(texts):
    from rensa import RMinHash, RMinHashLSH

    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=SIZE, num_bands=16)
    known = []
    for name, text in texts:
        minima = RMinHash(num_perm=SIZE, seed=42)
        minima.update(list(shingles(text)))
        for other in lsh.query(minima):
            if known[other][1].jaccard(minima) >= THRESHOLD:
                yield known[other][0], name
        lsh.insert(len(known), minima)
        known.append((name, minima))


def by_text_dedup(texts):
    texts = list(texts)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        os.environ["HF_HOME"] = folder
        os.environ["HF_DATASETS_OFFLINE"] = "1"
        from text_dedup import minhash

        list_path = os.path.join(folder, "texts.jsonl")
        with open(list_path, "w", encoding="ascii") as lines:
            for _, text in texts:
                lines.write(json.dumps({"text": text}) + "\n")
        options = {
            "path": "json",
            "data_files": list_path,
            "split": "train",
            "cache_dir": os.path.join(folder, "cache"),
            "output": os.path.join(folder, "output"),
            "column": "text",
            "ngram": WORDS,
            "num_perm": SIZE,
            "threshold": THRESHOLD,
            "num_proc": 1,
        }
        minhash.main([f"--{name}={value}" for name, value in options.items()], standalone_mode=False)
    clusters = {}
    for number, (name, _) in enumerate(texts):
        own = clusters.setdefault(minhash.uf.find(number), [])
        for other in own:
            yield other, name
        own.append(name)


def texts_of(path):
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, text = line.rstrip("\n").split("\t")
            yield name, text


ways = {"datasketch": by_datasketch, "rensa": by_rensa, "text-dedup": by_text_dedup}
for pair in ways[sys.argv[1]](texts_of(sys.argv[2])):
    print("\t".join(pair))
