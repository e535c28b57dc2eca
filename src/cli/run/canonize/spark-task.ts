// A process in a Spark executor that canonizes a part of the inputs into a file. It reads its task from standard input
// and writes its report to standard output (spark-job).
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodeText } from '../../../base/bytes.js';
import { readU32 } from '../../../base/row.js';
import { createBlockCanonizer } from '../../../canonize/canonizer.js';
import { createLineMapper } from '../../../canonize/lines.js';
import { fileInput } from '../../../log/inputs.js';
import { linesBetween } from '../../../log/parts.js';
import type { Condition } from '../../../log/record.js';
import type { Damage } from '../../../report/summary.js';
import { receive, receiveJob, send, useOfProcess } from '../spark/job.js';
import { joinLines, readLinesOf } from './read.js';
import { END, type PartJob, partName, type PartReport } from './spark-job.js';

async function canonizePart(job: PartJob): Promise<PartReport> {
  const { rules, options, lines, format, pieces, isLast } = job;
  const isParquet = format === 'parquet';
  const damages: Damage[] = [];
  const canonizer = createBlockCanonizer(rules, options);
  const mapper = createLineMapper(canonizer, isParquet ? { ...lines, rows: true } : lines);
  const inputs = (pieces ?? []).map((piece) => ({
    name: piece.name,
    read: (condition: Condition) => readPiece(piece, condition),
  }));
  async function* map(): AsyncGenerator<Uint8Array> {
    if (pieces === undefined) for (const lines of receiveLines()) yield* mapper.push(lines);
    for await (const chunk of joinLines(inputs, damages, isParquet || !isLast)) yield* mapper.push(chunk);
    yield* mapper.end();
  }
  let parquet: PartReport['parquet'];
  if (!isParquet) await write(map(), job);
  else {
    const { parquetOf } = await import('../../../canonize/parquet.js');
    let ending = { bytesEnd: '', endAt: 0 };
    const onBytesEnd = (end: Uint8Array, endAt: number) => {
      ending = { bytesEnd: Buffer.from(end).toString('base64'), endAt };
    };
    const output = { isBytes: false, onBytesEnd };
    await write(parquetOf(map(), output), job);
    parquet = { isBytes: output.isBytes, ...ending };
  }
  const { counts } = mapper;
  return { counts, unsettled: canonizer.unsettled, damages, ...(parquet && { parquet }), ...useOfProcess() };
}

function* receiveLines(): Generator<Uint8Array> {
  for (let length = receiveU32(); length !== END; length = receiveU32()) yield receive(length);
}

const receiveU32 = () => readU32(receive(4), 0);

async function* readPiece(
  piece: NonNullable<PartJob['pieces']>[number],
  condition: Condition,
): AsyncGenerator<Uint8Array> {
  const { name, path, text, textStart = 0, groups } = piece;
  if (text !== undefined) yield* linesBetween(path, text, textStart);
  else if (groups !== undefined) {
    const { readUrls } = await import('../../../log/parquet/open.js');
    yield* readUrls(path, condition, { range: groups });
  } else yield* readLinesOf(fileInput(name, path), path, condition);
}

const parent = process.ppid;

/** Writes under a name of its own until the file is complete, as Spark may run a task twice at once. */
async function write(pieces: AsyncIterable<Uint8Array>, { folder, part, attempt, format }: PartJob): Promise<void> {
  const name = partName(part, format);
  const draft = join(folder, `.${name}.${attempt}`);
  const fd = openSync(draft, 'w');
  try {
    for await (const bytes of pieces) {
      if (process.ppid !== parent) throw new Error('the task has ended');
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at);
    }
    fsyncSync(fd);
    renameSync(draft, join(folder, name));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

const job = receiveJob() as PartJob;
send(encodeText(JSON.stringify(await canonizePart(job))));
