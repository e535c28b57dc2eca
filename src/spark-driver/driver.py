"""The driver of `--engine spark`: spark-submit runs it with the path of a job (cli/run/spark/job).

mine (cli/run/mine/spark-job):

    stage 1   a task per table:  Node reads inputs in place ──→ ((lot, table, number), block of sorted rows)
    count     bytes of each lot of sites; lots are packed into shares, the largest first
    shuffle   each distinct URL of a table once, in blocks by share, in the order of lots and tables
    stage 2   a task per share:  blocks ──→ Node merges and mines lot after lot ──→ rules, rows of a sample of hosts
    merge     of many shares, tasks for some each: rows of samples ──→ Node ──→ rows of one sample
    learn     one task:          rows of all samples ──→ Node ──→ what hosts know together
    decide    a task per share:  the blocks of stage 2 once more, and that ──→ Node ──→ decisions on hosts
    pool      with --by-sketch, one task:         all decisions ──→ Node ──→ rules of classes of hosts
    draw      with --by-sketch, a task per share: the blocks once more, and these rules ──→ Node ──→ pairs of URLs

canonize (cli/run/canonize/spark-job):

    stage 1   a task per part:   Node reads a part of an input in place ──→ its own file of forms

Blocks are opaque bytes here: neither Python nor the JVM does any work per URL.
"""

import array
import heapq
import io
import itertools
import json
import math
import operator
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

from pyspark import SparkConf, SparkContext, SparkFiles, StorageLevel, TaskContext

REPORT = -1
END = 0xFFFFFFFF
TABLE_BYTES = 64 << 20
SHARE_BYTES = 128 << 20
PART_BYTES = 64 << 20
MOST_FETCHED = 2 << 30
LOTS_OF_A_SHARE = 8
MOST_LOTS = 4096
MOST_SAMPLES = 16
ROWS_AT_ONCE = 4096
NO_ENDS = bytes.maketrans(b"\n\r", b"\x01\x01")


class Refused(Exception):
    """What the user has to change."""


def executor():
    """Names the executor: the folder of a standalone or YARN executor ends with its number; a local driver runs tasks
    itself."""
    return os.path.basename(os.getcwd())


class Process:
    """A Node process that runs `job["program"]` of this package. It answers on `out`; `end` raises if it failed."""

    def __init__(self, job, request):
        shipped = SparkFiles.getRootDirectory()
        root = os.path.join(shipped, "dustbuster")
        root = root if os.path.isdir(root) else job["root"]
        node = job["node"]
        if not os.path.isabs(node) and os.path.exists(os.path.join(shipped, node)):
            node = os.path.join(shipped, node)
            if not os.access(node, os.X_OK):
                os.chmod(node, 0o755)  # Spark unpacks archives without modes
        program = os.path.join(root, "dist", "program", *job["program"].split("/"))
        self.said = tempfile.TemporaryFile()
        self.child = subprocess.Popen(
            [node, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said
        )
        self.out = self.child.stdout
        self.pid = self.child.pid
        text = json.dumps({**job["settings"].value, **request}).encode()
        self.put(struct.pack("<I", len(text)), text)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.child.kill()

    def put(self, *parts):
        try:
            for part in parts:
                self.child.stdin.write(part)
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # `end` reports why

    def take(self, length):
        found = self.out.read(length)
        if len(found) < length:
            self.end()
            raise RuntimeError("dustbuster: the Node process ended early")
        return found

    def end(self):
        try:
            self.child.stdin.close()
        except BrokenPipeError:
            pass
        code = self.child.wait()
        if code == 0:
            return
        self.said.seek(0)
        lines = self.said.read().decode("utf-8", "replace").splitlines()[-20:]
        raise RuntimeError("dustbuster: the Node process ended with %d\n%s" % (code, "\n".join(lines)))

    def report(self, found):
        """The result of the process, and where it ran."""
        return {**json.loads(found), "executor": executor(), "pid": self.pid}


def frames(take):
    """Lots, numbers and bytes of what a process returns; the lot of its report is REPORT, and it is the last."""
    lot = None
    while lot != REPORT:
        lot, number, length = struct.unpack("<iII", take(12))
        yield lot, number, take(length)


def fold(job, lots):
    def run(tables):
        for table, inputs in tables:
            with Process(job, {"task": "fold", "inputs": inputs, "lots": lots}) as process:
                for lot, number, block in frames(process.take):
                    if lot != REPORT:
                        yield (lot, table, number), block
                process.end()
                yield (REPORT, table, 0), json.dumps(process.report(block)).encode()

    return run


def fetched(numbers, run):
    """Writes each file that Spark has read to a scratch file, and calls `run` with its number and the input."""

    def each(files):
        for address, content in files:
            with tempfile.NamedTemporaryFile(prefix="dustbuster-") as file:
                file.write(content)
                file.flush()
                yield from run(numbers[address], {"name": address, "path": file.name, "bytes": len(content)})

    return each


def count(lots):
    """Bytes of rows of each lot."""

    def run(blocks):
        sizes = array.array("Q", bytes(8 * lots))
        for (lot, _, _), block in blocks:
            if lot != REPORT:
                sizes[lot] += len(block)
        yield sizes

    return run


def add(some, more):
    return array.array("Q", map(operator.add, some, more))


def pack(sizes, shares):
    """Assigns lots to shares, the largest lot first, each to the share with the fewest bytes. So a huge lot has a share
    to itself. The largest share is number 0, as Spark starts that first. Returns the share of each lot, and the bytes
    of the largest share."""
    heap = [(0, share) for share in range(shares)]
    share_of = [0] * len(sizes)
    for lot in sorted(range(len(sizes)), key=lambda lot: -sizes[lot]):
        size, share = heap[0]
        share_of[lot] = share
        heapq.heapreplace(heap, (size + sizes[lot], share))
    place = {share: at for at, (_, share) in enumerate(sorted(heap, reverse=True))}
    return [place[share] for share in share_of], max(heap)[0]


def answer(process, messages):
    """Sends messages to the process from another thread, and returns its answer."""
    failed = []

    def feed():
        try:
            for parts in messages:
                process.put(*parts)
        except BaseException as error:  # raised again below, in the thread of the task
            failed.append(error)
            process.child.kill()

    feeder = threading.Thread(target=feed)
    feeder.start()
    found = process.out.read()
    feeder.join()
    if failed:
        raise failed[0]
    process.end()
    return found


def framed(process, blocks):
    """Sends blocks with their lots and tables. Returns the rows and the report that the process returns."""

    def messages():
        for (lot, table), block in blocks:
            yield struct.pack("<III", lot, table, len(block)), block
        yield (struct.pack("<III", END, 0, 0),)

    *rows, (_, _, report) = frames(io.BytesIO(answer(process, messages())).read)
    return b"".join(block for _, _, block in rows), process.report(report)


def packed(report):
    return zlib.compress(json.dumps(report).encode(), 1)


def placed(blocks):
    return (((lot, table), block) for (lot, table, _), block in blocks)


def mine(job, shares):
    """Yields kinds, numbers and compressed results: of shares, and of tables from their reports; `hosts` are rows."""

    def run(share, blocks):
        if share == shares:
            for (_, table, _), report in blocks:
                yield "report", table, zlib.compress(report, 1)
            return
        with Process(job, {"task": "mine"}) as process:
            rows, report = framed(process, placed(blocks))
            yield "share", share, packed(report)
            if rows:
                yield "hosts", share, zlib.compress(rows, 1)

    return run


def merge(job):
    """One sample of those of several shares."""

    def run(samples):
        with Process(job, {"task": "merge"}) as process:
            rows, _ = framed(process, unpacked(samples))
            if rows:
                yield zlib.compress(rows, 1)

    return run


def unpacked(results):
    """Compressed results of shares, each as a lot."""
    return (((at, 0), zlib.decompress(result)) for at, result in enumerate(results))


def gathered(job, request, **sent):
    """The report of one process that gets results of all shares, which are compressed."""

    def run(results):
        with Process(job, {**request, **values(sent)}) as process:
            yield packed(framed(process, unpacked(results))[1])

    return run


def again(job, shares, kind, request, **sent):
    """Yields the report of a process for each share, which gets the blocks of the share once more."""

    def run(share, blocks):
        if share < shares:
            with Process(job, {**request, **values(sent)}) as process:
                yield kind, share, packed(framed(process, placed(blocks))[1])

    return run


def values(sent):
    return {name: broadcast.value for name, broadcast in sent.items()}


def canonize(job):
    def run(parts):
        for part, pieces, is_last in parts:
            attempt = TaskContext.get().taskAttemptId()
            with Process(job, {"part": part, "pieces": pieces, "isLast": is_last, "attempt": attempt}) as process:
                yield part, process.report(answer(process, ()))

    return run


def canonize_rows(job):
    """Canonizes values that Spark has read. Each becomes a line, in which line ends become 0x01 (log/parquet/table)."""

    def messages(rows):
        while True:
            lines = [row[0] for row in itertools.islice(rows, ROWS_AT_ONCE)]
            if not lines:
                break
            text = b"".join(b"\n" if url is None else bytes(url).translate(NO_ENDS) + b"\n" for url in lines)
            yield struct.pack("<I", len(text)), text
        yield (struct.pack("<I", END),)

    def run(part, rows):
        attempt = TaskContext.get().taskAttemptId()
        with Process(job, {"part": part, "isLast": False, "attempt": attempt}) as process:
            yield part, process.report(answer(process, messages(rows)))

    return run


def shuffle_bytes(context):
    """Bytes that the stages wrote for the shuffle; 0 if Spark does not give access to its status."""
    try:
        quantiles = context._gateway.new_array(context._jvm.double, 0)
        stages = context._jsc.sc().statusStore().stageList(None, False, False, quantiles, None)
        return sum(stages.apply(k).shuffleWriteBytes() for k in range(stages.size()))
    except Exception:
        return 0


def failures(context):
    """The number of tasks that failed and were run again."""
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup()]
    stages = {stage for job in jobs if job for stage in job.stageIds}
    infos = [tracker.getStageInfo(stage) for stage in stages]
    return sum(info.numFailedTasks for info in infos if info)


def tables_of(inputs, most):
    """Groups inputs into tables, in order, small ones together. There will be a process for each table."""
    tables = []
    room = 0
    for given in inputs:
        if not tables or given["bytes"] > room:
            tables.append([])
            room = most
        tables[-1].append(given)
        room -= given["bytes"]
    return list(enumerate(tables))


def files_at(context, addresses):
    """The files at the addresses: those that match, or lie below a folder, sorted by path. Spark's file systems list
    them, with the settings that it has for them. Files that Spark itself hides are left out, as are empty ones."""
    conf = context._jsc.hadoopConfiguration()
    files = {}
    for address in addresses:
        try:
            path = context._jvm.org.apache.hadoop.fs.Path(address)
            system = path.getFileSystem(conf)
            found = []
            for match in system.globStatus(path) or []:
                below = system.listFiles(match.getPath(), True)
                while below.hasNext():
                    file = below.next()
                    name = file.getPath().getName()
                    hidden = match.isDirectory() and name.startswith(("_", "."))
                    if not hidden:
                        found.append((file.getPath().toString(), file.getLen()))
        except Exception as error:
            said = str(getattr(error, "java_exception", error)).splitlines()[0]
            raise Refused("%s: Spark cannot read it: %s" % (address, said)) from error
        if not found:
            raise Refused("%s: Spark finds no such file; expected a file, a folder with files or a glob" % address)
        files.update(sorted(found))
    if addresses and not any(files.values()):
        raise Refused("%s: has no byte; expected files with lines" % addresses[0])
    return {address: size for address, size in files.items() if size > 0}


def fetch(context, files):
    """The contents of files, and their numbers. A file is in memory as a whole."""
    pieces = max(context.defaultParallelism, -(-sum(files.values()) // TABLE_BYTES))
    large = [address for address, size in files.items() if size >= MOST_FETCHED]
    if large:
        raise Refused("%s: has 2 GiB or more; expected smaller files, as Spark hands them over as a whole" % large[0])
    escaped = (re.sub(r"([\\\[\]{}*?,])", r"\\\1", address) for address in files)
    return context.binaryFiles(",".join(escaped), pieces), {address: at for at, address in enumerate(files)}


def pieces_of(given, most):
    """Cuts an input into pieces of about `most` bytes: by lines if it is a plain file, by row groups if it is Parquet.
    Other inputs stay whole."""
    size = given["bytes"]
    whole = {key: given[key] for key in ("name", "path", "bytes")}
    if "textStart" in given:
        start = given["textStart"]
        count = max(1, -(-(size - start) // most))
        cuts = [start + (size - start) * at // count for at in range(count + 1)]
        for start, end in zip(cuts, cuts[1:]):
            text = {"start": start, "end": end}
            yield {**whole, "bytes": end - start, "text": text, "textStart": given["textStart"]}
    elif given.get("rowGroups", 0) > 1:
        groups = given["rowGroups"]
        count = min(groups, -(-size // most))
        cuts = [groups * at // count for at in range(count + 1)]
        for start, end in zip(cuts, cuts[1:]):
            yield {**whole, "bytes": size // count, "groups": {"start": start, "end": end}}
    else:
        yield whole


def run_mine(context, job, small):
    cores = context.defaultParallelism
    asked = context.getConf().get("spark.default.parallelism")
    files = files_at(context, job["addresses"])
    total = sum(given["bytes"] for given in job["inputs"]) + sum(files.values())
    shares = int(asked) if asked else max(2 * cores, -(-total // SHARE_BYTES))
    lots = shares * max(1, min(LOTS_OF_A_SHARE, MOST_LOTS // shares))
    if files:
        contents, numbers = fetch(context, files)
        tables = files
        blocks = contents.mapPartitions(fetched(numbers, lambda table, given: fold(small, lots)([(table, [given])])))
    else:
        tables = tables_of(job["inputs"], min(TABLE_BYTES, total // cores))
        blocks = context.parallelize(tables, len(tables)).mapPartitions(fold(small, lots))
    blocks.persist(StorageLevel.DISK_ONLY)
    sizes = blocks.mapPartitions(count(lots)).treeReduce(add)
    share_of, largest = pack(sizes, shares)
    share_of.append(shares)  # for reports, whose lot is -1
    by_share = blocks.repartitionAndSortWithinPartitions(shares + 1, lambda key: share_of[key[0]])
    mined = computed(by_share.mapPartitionsWithIndex(mine(small, shares)))
    ran = []

    def keep(kind, number, result):
        text = zlib.decompress(result)
        found = json.loads(text)
        ran.append({"task": kind, "executor": found["executor"], "pid": found["pid"]})
        with open(os.path.join(job["folder"], "%s-%d.json" % (kind, number)), "wb") as file:
            file.write(text)
        return found

    def gather(kind, results, request, **sent):
        return keep(kind, 0, *results.coalesce(1, True).mapPartitions(gathered(small, request, **sent)).collect())

    def each_share(kind, request, **sent):
        results = computed(by_share.mapPartitionsWithIndex(again(small, shares, kind, request, **sent)))
        for result in results.toLocalIterator():
            keep(*result)
        return results.map(operator.itemgetter(2))

    hosts = 0
    learned = None
    for result in mined.filter(lambda result: result[0] != "hosts").toLocalIterator():
        hosts += keep(*result).get("hosts", 0)
    if hosts >= job["leastHosts"]:
        samples = mined.filter(lambda result: result[0] == "hosts").map(operator.itemgetter(2))
        if shares > MOST_SAMPLES:
            samples = samples.coalesce(math.isqrt(shares), True).mapPartitions(merge(small))
        learned = gather("learned", samples, {"task": "learn"}).get("learned")
    if learned is not None:
        known = context.broadcast(learned)
        decided = each_share("decided", {"task": "decide"}, learned=known)
        if job["isDrawing"]:
            rules = gather("pooled", decided, {"task": "pool"}, learned=known)["rules"]
            each_share("drawn", {"task": "draw"}, rules=context.broadcast(rules))
    found = {"shares": shares, "tables": len(tables), "largestShare": largest / max(1, sum(sizes)), "ran": ran}
    return {**found, "hasLearned": learned is not None}


def computed(results):
    """Computes all parts at once. They are read one after another, which alone would also compute them so."""
    results.persist(StorageLevel.DISK_ONLY).count()
    return results


def run_canonize(context, job, small):
    if "read" in job:
        from pyspark.sql import SparkSession

        read = job["read"]
        table = SparkSession(context).read.format(read["format"]).option("header", True).load(read["paths"])
        column = read.get("column", "value" if read["format"] == "text" else "url")
        rows = table.select(table[column].cast("binary")).rdd
        return reported(rows.mapPartitionsWithIndex(canonize_rows(small)))
    if job["addresses"]:
        contents, numbers = fetch(context, files_at(context, job["addresses"]))
        last = len(numbers) - 1
        part = fetched(numbers, lambda part, given: canonize(small)([(part, [given], part == last)]))
        return reported(contents.mapPartitions(part))
    asked = context.getConf().get("spark.default.parallelism")
    total = sum(given["bytes"] for given in job["inputs"])
    most = min(PART_BYTES, -(-total // (int(asked) if asked else context.defaultParallelism)))
    pieces = [piece for given in job["inputs"] for piece in pieces_of(given, max(1, most))]
    parts = [(part, own, False) for part, own in tables_of(pieces, most)]
    parts[-1] = (*parts[-1][:2], True)
    return reported(context.parallelize(parts, len(parts)).mapPartitions(canonize(small)))


def reported(parts):
    reports = [report for _, report in sorted(parts.collect(), key=operator.itemgetter(0))]
    ran = [{"task": "canonize", "executor": found["executor"], "pid": found["pid"]} for found in reports]
    return {"ran": ran, "reports": reports}


def main(path):
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    kind = job["kind"]
    context = SparkContext(conf=SparkConf().setIfMissing("spark.app.name", "dustbuster " + kind))
    with open(os.path.join(job["folder"], "application"), "w") as file:
        file.write(context.applicationId)
    small = {
        "node": job["node"],
        "root": job["root"],
        "program": "cli/run/%s/spark-task.js" % kind,
        "settings": context.broadcast(job["settings"]),
    }
    try:
        found = (run_mine if kind == "mine" else run_canonize)(context, job, small)
    except Refused as refused:
        with open(os.path.join(job["folder"], "refused"), "w", encoding="utf-8") as file:
            file.write(str(refused))
        context.stop()
        sys.exit(3)
    done = {
        **found,
        "application": context.applicationId,
        "failures": failures(context),
        "shuffleBytes": shuffle_bytes(context),
    }
    # Ends the remaining tasks, so that nothing is written after this.
    context.stop()
    with open(os.path.join(job["folder"], "done.json"), "w") as file:
        json.dump(done, file)


if __name__ == "__main__":
    main(sys.argv[1])
