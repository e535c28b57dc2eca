// A thread that canonizes blocks of lines for `threads`.
import { parentPort, workerData } from 'node:worker_threads';
import { blockBytes } from '../../../canonize/blocks.js';
import { createBlockCanonizer } from '../../../canonize/canonizer.js';
import { createBlockMapper, type MappedCounts, type MappedLines } from '../../../canonize/lines.js';
import type { BlockMessage, FromThread, ThreadJob, ToThread } from './threads.js';

const port = parentPort!;
const job = workerData as ThreadJob;
const canonizer = createBlockCanonizer(job.rules, job.options);
const counts: MappedCounts = { lines: 0, urls: 0, changed: 0 };
const mapBlock = createBlockMapper(canonizer, job.lines, counts);

const blocks: BlockMessage[] = [];
const rooms: Uint8Array<ArrayBuffer>[] = [];
let credits = job.credits;
let wake: () => void = () => undefined;

port.on('message', (message: ToThread) => {
  if (message.kind === 'block') blocks.push(message);
  else {
    rooms.push(message.bytes);
    credits++;
  }
  wake();
});

const woken = () => new Promise<void>((resolve) => (wake = resolve));

function send(message: FromThread, transfer: ArrayBuffer[]): void {
  port.postMessage(message, transfer);
}

async function sendLines({ bytes, marks }: MappedLines): Promise<void> {
  while (credits === 0) await woken();
  credits--;
  const used = bytes.length;
  const known = rooms.pop();
  const room = known !== undefined && known.length >= used ? known : new Uint8Array(Math.max(used, 2 * blockBytes));
  room.set(bytes);
  const own = marks === undefined ? undefined : new Int32Array(marks);
  send({ kind: 'lines', bytes: room, used, marks: own }, own === undefined ? [room.buffer] : [room.buffer, own.buffer]);
}

// Runs until the main thread terminates this one.
for (;;) {
  while (blocks.length === 0) await woken();
  const { of, bytes, used } = blocks.shift()!;
  const before = canonizer.unsettled;
  for (const lines of mapBlock({ kind: of, bytes: bytes.subarray(0, used) })) await sendLines(lines);
  send({ kind: 'done', bytes, counts: { ...counts }, unsettled: canonizer.unsettled - before }, [bytes.buffer]);
  counts.lines = counts.urls = counts.changed = 0;
}
