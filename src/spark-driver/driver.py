"""The driver of `dustbuster mine --engine spark`: spark-submit runs it with the path of a job (cli/run/mine/spark-job).

    stage 1   a table a task:  Node reads the inputs where they lie ──→ ((share, table, number), block of sorted rows)
    shuffle   each distinct URL of a table once, in blocks by share of the sites, in the order of the tables
    stage 2   a share a task:  blocks ──→ Node merges and mines ──→ rules

Blocks are opaque bytes here: nothing is done per URL in Python or in the JVM.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

from pyspark import SparkConf, SparkContext, SparkFiles, StorageLevel

REPORT = -1
END = 0xFFFFFFFF
TABLE_BYTES = 64 << 20
SHARE_BYTES = 128 << 20


def executor():
    """The folder of a standalone or YARN executor ends in its number; a local driver runs tasks itself."""
    return os.path.basename(os.getcwd())


class Process:
    """A Node process of this package: answers on `out`; `end` throws unless it went well."""

    def __init__(self, job, settings, request):
        root = os.path.join(SparkFiles.getRootDirectory(), "dustbuster")
        root = root if os.path.isdir(root) else job["root"]
        node = job["node"]
        if not os.path.isabs(node) and os.path.exists(os.path.join(SparkFiles.getRootDirectory(), node)):
            node = os.path.join(SparkFiles.getRootDirectory(), node)
        program = os.path.join(root, "dist", "program", "cli", "run", "mine", "spark-task.js")
        self.said = tempfile.TemporaryFile()
        self.child = subprocess.Popen(
            [node, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said
        )
        self.out = self.child.stdout
        self.pid = self.child.pid
        text = json.dumps({**settings, **request}).encode()
        self.put(struct.pack("<I", len(text)), text)

    def put(self, *parts):
        try:
            for part in parts:
                self.child.stdin.write(part)
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # `end` says why

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


def fold(job, settings, shares):
    def run(tables):
        for table, inputs in tables:
            process = Process(job, settings, {"task": "fold", "inputs": inputs, "shares": shares})
            try:
                while True:
                    share, number, length = struct.unpack("<iII", process.take(12))
                    block = process.take(length)
                    if share == REPORT:
                        break
                    yield (share, table, number), block
                process.end()
                report = {**json.loads(block), "executor": executor(), "pid": process.pid}
                yield (shares, table, 0), json.dumps(report).encode()
            finally:
                process.child.kill()

    return run


def mine(job, settings, shares):
    def run(share, blocks):
        if share == shares:
            for (_, table, _), report in blocks:
                yield "report", table, zlib.compress(report, 1)
            return
        process = Process(job, settings, {"task": "mine"})
        try:
            failed = []

            def feed():
                try:
                    for (_, table, _), block in blocks:
                        process.put(struct.pack("<II", table, len(block)), block)
                    process.put(struct.pack("<II", END, 0))
                except BaseException as error:  # thrown again below, in the thread of the task
                    failed.append(error)
                    process.child.kill()

            feeder = threading.Thread(target=feed)
            feeder.start()
            found = process.out.read()
            feeder.join()
            if failed:
                raise failed[0]
            process.end()
            result = {**json.loads(found), "executor": executor(), "pid": process.pid}
            yield "share", share, zlib.compress(json.dumps(result).encode(), 1)
        finally:
            process.child.kill()

    return run


def shuffle_bytes(context):
    """Bytes that the stages wrote for the shuffle; 0 where Spark's own status cannot be asked."""
    try:
        stages = context._jsc.sc().statusStore().stageList(None, False, False, context._gateway.new_array(context._jvm.double, 0), None)
        return sum(stages.apply(k).shuffleWriteBytes() for k in range(stages.size()))
    except Exception:
        return 0


def failures(context):
    """Tasks that failed and were run again."""
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup()]
    stages = {stage for job in jobs if job for stage in job.stageIds}
    infos = [tracker.getStageInfo(stage) for stage in stages]
    return sum(info.numFailedTasks for info in infos if info)


def tables_of(inputs, most):
    """Inputs in their order, small ones together: there is a process for each table."""
    tables = []
    room = 0
    for given in inputs:
        if not tables or given["bytes"] > room:
            tables.append([])
            room = most
        tables[-1].append(given)
        room -= given["bytes"]
    return list(enumerate(tables))


def main(path):
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    context = SparkContext(conf=SparkConf().setIfMissing("spark.app.name", "dustbuster mine"))
    folder = job["folder"]
    with open(os.path.join(folder, "application"), "w") as file:
        file.write(context.applicationId)
    cores = context.defaultParallelism
    asked = context.getConf().get("spark.default.parallelism")
    total = sum(given["bytes"] for given in job["inputs"])
    shares = int(asked) if asked else max(2 * cores, -(-total // SHARE_BYTES))
    settings = job["settings"]
    small = {"node": job["node"], "root": job["root"]}
    tables = tables_of(job["inputs"], min(TABLE_BYTES, total // cores))
    blocks = context.parallelize(tables, len(tables)).mapPartitions(fold(small, settings, shares))
    by_share = blocks.repartitionAndSortWithinPartitions(shares + 1, lambda key: key[0])
    results = by_share.mapPartitionsWithIndex(mine(small, settings, shares)).persist(StorageLevel.DISK_ONLY)
    results.count()
    ran = []
    for kind, number, packed in results.toLocalIterator():
        text = zlib.decompress(packed)
        found = json.loads(text)
        ran.append({"task": kind, "executor": found["executor"], "pid": found["pid"]})
        with open(os.path.join(folder, "%s-%d.json" % (kind, number)), "wb") as file:
            file.write(text)
    done = {
        "application": context.applicationId,
        "shares": shares,
        "tables": len(tables),
        "ran": ran,
        "failures": failures(context),
        "shuffleBytes": shuffle_bytes(context),
    }
    with open(os.path.join(folder, "done.json"), "w") as file:
        json.dump(done, file)
    context.stop()


if __name__ == "__main__":
    main(sys.argv[1])
