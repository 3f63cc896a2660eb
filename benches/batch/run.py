"""Runs the SQL of docs/batch.md on sketches, and compares the clusters with those in memory. The sketches are synthetic
or come from a collection in the form that benches/corpus.mjs describes.

    python3 -m venv venv && venv/bin/pip install -r benches/batch/requirements.txt
    npm run build && venv/bin/python benches/batch/run.py [--count 1000000 | --collection DIR] \
        [--engines duckdb,clickhouse,spark]
    venv/bin/python benches/batch/run.py --plan 1000000000

Spark needs Java 17 or later.
"""

import argparse
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCUMENT = (HERE.parent.parent / "docs" / "batch.md").read_text()


def statements(heading):
    """The SQL below a heading: to the pairs, a step of the labels, the result."""
    section = DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"```sql\n(.*?)```", section, re.S)
    assert len(blocks) == 3, heading
    return [[part.strip() for part in block.split(";\n") if part.strip()] for block in blocks]


def masks_of(count):
    """The masks of all but three of this many blocks."""
    cuts = [block * 64 // count for block in range(count + 1)]
    blocks = [(1 << high) - (1 << low) for low, high in itertools.pairwise(cuts)]
    return [sum(chosen) for chosen in itertools.combinations(blocks, count - 3)]


def plan(documents):
    """Prints the rows, bytes and pairs of each number of blocks, for unrelated fingerprints."""
    pairs = documents * (documents - 1) / 2
    row = 8 * 4  # id, fingerprint, mask, key
    print("blocks  masks  rows of keys  bytes of keys  pairs with an equal key")
    for blocks in range(4, 9):
        masks = masks_of(blocks)
        equal = sum(pairs / 2 ** mask.bit_count() for mask in masks)
        rows = documents * len(masks)
        print(f"{blocks:6}  {len(masks):5}  {rows:12.1e}  {rows * row:13.1e}  {equal:23.1e}")
    near = pairs * sum(math.comb(64, bits) for bits in range(4)) / 2**64
    print(f"pairs of unrelated fingerprints within 3 bits: {near:,.0f}")


def duckdb():
    import duckdb as engine

    connection = engine.connect("near.duckdb")
    return lambda sql: connection.execute(sql).fetchall()


def clickhouse():
    from chdb import session

    connection = session.Session("near.chdb")
    connection.query("CREATE DATABASE near ENGINE = Atomic")
    connection.query("USE near")

    def run(sql):
        text = str(connection.query(sql, "TabSeparated"))
        return [tuple(line.split("\t")) for line in text.splitlines()]

    return run


def spark():
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[*]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "16")
        .config("spark.sql.warehouse.dir", "warehouse")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return lambda sql: session.sql(sql).collect()


ENGINES = {"duckdb": ("DuckDB", duckdb), "clickhouse": ("ClickHouse", clickhouse), "spark": ("Spark", spark)}


OPEN_PAIRS = re.search(r"```sql\n(.*?)```", DOCUMENT.split("\n## Sketches\n")[1], re.S)[1]


def check(name, expected):
    heading, start = ENGINES[name]
    first, step, result = statements(heading)
    run = start()
    begin = time.monotonic()
    for sql in first:
        at = time.monotonic()
        run(sql)
        table = re.search(r"TABLE (\w+)", sql)[1]
        rows = int(run(f"SELECT count(*) FROM {table}")[0][0])
        print(f"  {table}: {rows:,} rows, {time.monotonic() - at:.1f} s", flush=True)
    steps = 0
    while int(run(OPEN_PAIRS)[0][0]) > 0:
        for sql in step:
            run(sql)
        steps += 1
    rows = run(result[0])
    seconds = time.monotonic() - begin
    found = {row[0]: row[1] for row in rows}
    assert len(rows) == len(found) == len(expected), f"{len(rows)} rows of {len(expected)} documents"
    wrong = sum(found[key] != cluster for key, cluster in expected.items())
    assert wrong == 0, f"{wrong} documents are in another cluster"
    print(f"{heading}: the same {len(set(found.values())):,} clusters, {steps} steps, {seconds:.1f} s", flush=True)
    if name == "duckdb":
        count = run("SELECT count(*) FROM near")
        masks = ", ".join(f"{mask}::UBIGINT" for mask in masks_of(6))
        run(f"CREATE OR REPLACE TABLE masks AS SELECT unnest([{masks}]) AS mask")
        at = time.monotonic()
        for table in ["keys", "near"]:
            sql = next(sql for sql in first if sql.startswith(f"CREATE TABLE {table} "))
            run(re.sub(r"\bkeys\b", "wide_keys", sql).replace("TABLE near", "TABLE wide"))
        differ = run("SELECT count(*) FROM near FULL JOIN wide USING (a, b) WHERE near.a IS NULL OR wide.a IS NULL")
        assert run("SELECT count(*) FROM wide") == count and differ[0][0] == 0
        print(f"  with 20 masks: the same {count[0][0]:,} pairs, {time.monotonic() - at:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--collection")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--plan", type=int)
    options = parser.parse_args()
    if options.plan:
        return plan(options.plan)
    with tempfile.TemporaryDirectory(prefix="nearprint-batch-") as folder:
        subprocess.run(["node", HERE / "generate.mjs", options.collection or str(options.count), folder], check=True)
        lines = Path(folder, "clusters.csv").read_text().splitlines()
        expected = dict(line.split(",") for line in lines)
        os.chdir(folder)
        for name in options.engines.split(","):
            check(name, expected)


if __name__ == "__main__":
    sys.exit(main())
