"""Runs the SQL of docs/batch.md, as it is, and prints the rows and seconds of each step.

    python3 -m venv venv && venv/bin/pip install -r benches/batch/requirements.txt
    npm run build
    venv/bin/python benches/batch/run.py [--engines duckdb,clickhouse,spark] [--count 1000000]
    venv/bin/python benches/batch/run.py --collection DIR

Without more options the documents are synthetic. With --collection they come from a folder that benches/corpus.mjs
describes; without --count, the last line has the mistakes of the SQL and of dedupe per 100,000 documents. --sketches FILE
takes the sketches from a file. With --out FOLDER, which then has the results for tests, each of several files is a day.
--memory 8GB limits DuckDB. Temporary files are in TMPDIR. Only the packages of the chosen engines need to be installed.
Spark needs Java 17 or later. `--engines postgresql` needs psql and the variables PGHOST and so on of a database.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENT = (ROOT / "docs" / "batch.md").read_text()


def duckdb(memory):
    import duckdb as engine

    limit = {"memory_limit": memory} if memory else {}
    connection = engine.connect("near.duckdb", config=limit)
    return lambda sql: connection.execute(sql).fetchall()


def clickhouse(_):
    from chdb import session

    connection = session.Session("near.chdb")
    connection.query("CREATE DATABASE near ENGINE = Atomic")
    connection.query("USE near")
    connection.query("SET output_format_json_quote_64bit_integers = 0")
    return lambda sql: [json.loads(line) for line in str(connection.query(sql, "JSONCompactEachRow")).splitlines()]


def spark(_):
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
    session.sparkContext.setLogLevel("OFF")
    return lambda sql: session.sql(sql).collect()


def postgresql(_):
    """Runs psql, whose environment names the database, in a schema of its own."""
    settings = "-c search_path=near -c client_min_messages=warning -c jit=off"
    environment = {**os.environ, "PGOPTIONS": settings}

    def query(sql):
        if sql.startswith("SELECT"):
            sql = f"SELECT row_to_json(rows) FROM ({sql}) AS rows"
        command = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", sql]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
        return [list(json.loads(line).values()) for line in printed.splitlines()]

    query("DROP SCHEMA IF EXISTS near CASCADE")
    query("CREATE SCHEMA near")
    return query


ENGINES = {"duckdb": duckdb, "clickhouse": clickhouse, "spark": spark, "postgresql": postgresql}


class Blocks:
    """The blocks of SQL of the document, for one engine."""

    def __init__(self, engine, memory, is_quiet):
        self.is_quiet = is_quiet
        # The rows of each table, every time that it is made.
        self.rows = defaultdict(list)
        found = re.findall(r"```sql (\w+)\n(.*?)```", DOCUMENT, re.S)
        self.statements = {name: [part.strip() for part in sql.split(";\n") if part.strip()] for name, sql in found}
        self.query = ENGINES[engine](memory)

    def run(self, name):
        """Runs a block and returns the rows of its last statement."""
        for sql in self.statements[name]:
            start = time.monotonic()
            rows = self.query(sql)
            seconds = time.monotonic() - start
            made = re.match(r"(?:CREATE TABLE|INSERT INTO) (\w+)", sql)
            if made and not self.is_quiet and made[1] != "IF":
                count = self.query(f"SELECT count(*) FROM {made[1]}")[0][0]
                print(f"  {made[1]}: {count:,} rows, {seconds:.1f} s", flush=True)
                self.rows[made[1]].append(count)
            if made and made[1] == "ranks" and not self.is_quiet:
                joined = "ranks JOIN affected ON affected.position = ranks.position"
                pairs = self.query(f"SELECT sum(least(earlier, 64)) FROM {joined}")[0][0]
                print(f"  join: {int(pairs or 0):,} rows", flush=True)
                self.rows["join"].append(int(pairs or 0))
        return rows

    def repeat(self, name):
        """Runs a block until its last statement returns 0, and returns how many times that was."""
        times = 1
        while int(self.run(name)[0][0]) > 0:
            times += 1
        return times


def processor_time():
    """The processor time of this process, of its JVM, and of the children that have ended, in seconds."""
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "cputimes=,comm="], capture_output=True, text=True)
    java = [line.split()[0] for line in listed.stdout.splitlines() if line.split()[1] == "java"]
    return sum(os.times()[:4]) + sum(map(int, java))


def folder_bytes(folder):
    """The bytes on disk under a folder, some of whose files may be removed meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


class DiskPeak(threading.Thread):
    """Measures the largest number of bytes under a folder."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.bytes = folder, 0
        self.ended = threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(1):
            self.bytes = max(self.bytes, folder_bytes(self.folder))

    def end(self):
        self.ended.set()
        self.join()
        return max(self.bytes, folder_bytes(self.folder))


def write_rows(path, names, rows):
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))


def report(rows, near, count):
    """Prints the rows of the steps, for each document."""

    def of(name):
        return f"{rows[name][0] / count:.2f} in the first step, {sum(rows[name]) / count:.2f} in all"

    print(f"  for each document: {rows['nodes'][0] / count:.3f} nodes, {rows['keys'][0] / count:.2f} keys that occur twice;")
    print(f"    join {of('join')}; candidates {of('chosen')};")
    # Each step adds to the same table.
    print(f"    verified {rows['verified'][1] / count:.2f} in the first step, {rows['verified'][-1] / count:.2f} in all;", end=" ")
    print(f"near {near / count:.2f}, dropped {rows['dropped'][-1] / count:.3f}")


def run_engine(engine, sketches, out, memory, is_test):
    """Runs an engine on files of sketches, in a folder of its own. Returns the paths of the decisions in `out`, if given."""
    with tempfile.TemporaryDirectory(prefix="nearprint-batch-") as folder:
        os.chdir(folder)
        blocks = Blocks(engine, memory, is_test)
        disk = DiskPeak(folder)
        paths = []
        for day, path in enumerate(sketches):
            if os.path.lexists("sketches.jsonl"):
                os.remove("sketches.jsonl")
            os.symlink(path, "sketches.jsonl")
            start, processor = time.monotonic(), processor_time()
            blocks.run(engine)
            blocks.run("start")
            steps = blocks.repeat("step")
            if out:
                rows = blocks.run("decisions")
                paths.append(out / f"{engine}-{day}-decisions.jsonl")
                write_rows(paths[-1], ["position", "id", "duplicate_of"], rows)
                count = len(rows)
            else:
                blocks.query("CREATE TABLE result AS " + blocks.statements["decisions"][0].rstrip(";"))
                count = blocks.query("SELECT count(*) FROM result")[0][0]
            seconds = time.monotonic() - start
            print(f"{engine}: {count:,} documents, {steps} steps, {seconds:.1f} s,", end=" ")
            print(f"{processor_time() - processor:.1f} s of processors", flush=True)
            if not is_test:
                near = blocks.query("SELECT count(*) FROM verified WHERE is_near")[0][0]
                report(blocks.rows, int(near), count)
            if is_test:
                blocks.run("labels")
                blocks.repeat("spread")
                rows = blocks.run("clusters")
                write_rows(out / f"{engine}-{day}-clusters.jsonl", ["position", "id", "cluster"], rows)
                verified = blocks.query("SELECT a, b, resemblance, is_near FROM verified")
                write_rows(out / f"{engine}-{day}-verified.jsonl", ["a", "b", "resemblance", "is_near"], verified)
                blocks.run("archive")
        memory_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(f"  at most {memory_peak:.1f} GiB of memory and {disk.end() / 1e9:.1f} GB of disk", flush=True)
        os.chdir(ROOT)
    return paths


def node(*arguments, to=None):
    start, processor = time.monotonic(), processor_time()
    with open(to or os.devnull, "w") as file:
        subprocess.run(["node", *map(str, arguments)], check=True, stdout=file if to else None)
    return f"{time.monotonic() - start:.1f} s, {processor_time() - processor:.1f} s of processors"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int)
    parser.add_argument("--collection", type=lambda path: Path(path).resolve())
    parser.add_argument("--sketches", nargs="+", type=lambda path: Path(path).resolve())
    parser.add_argument("--out", type=lambda path: Path(path).resolve())
    parser.add_argument("--memory")
    parser.add_argument("--engines", default="duckdb,clickhouse,spark")
    options = parser.parse_args()
    engines = options.engines.split(",")
    if options.sketches:
        for engine in engines:
            run_engine(engine, options.sketches, options.out, options.memory, options.out is not None)
        return
    with tempfile.TemporaryDirectory(prefix="nearprint-batch-") as name:
        folder = Path(name)
        documents, sketches = folder / "documents.jsonl", folder / "sketches.jsonl"
        count = options.count or ("all" if options.collection else 1_000_000)
        node(HERE / "write.mjs", count, *filter(None, [options.collection]), to=documents)
        command = ROOT / "pkg" / "cli.js"
        took = node(command, "hash", "--sketch", "--jsonl", "--format", "signed", documents, to=sketches)
        print(f"hash: {took}, {sketches.stat().st_size:,} bytes", flush=True)
        took = node(command, "dedupe", documents, to=folder / "unique.jsonl")
        print(f"dedupe, with the sketches: {took}", flush=True)
        documents.unlink()
        decisions = [run_engine(engine, [sketches], folder, options.memory, False)[0] for engine in engines]
        for path in decisions[1:]:
            assert path.read_text() == decisions[0].read_text(), "the engines differ"
        if options.collection and not options.count:
            node(HERE / "judge.mjs", options.collection, decisions[0])


if __name__ == "__main__":
    main()
    # The engine of ClickHouse waits for its threads for a minute and more.
    sys.stdout.flush()
    os._exit(0)
