// Unpacks zstd bodies with a library that trusts its input. So the frames of a body are checked first, which refuses
// windows larger than RFC 9659 allows a server, and it is unpacked in a thread that is stopped if it takes too long: a
// few bytes can cause hours of copying.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** RFC 9659: the largest window that a `Content-Encoding: zstd` may ask for. */
const MAX_WINDOW = 8 << 20;
const MAX_MS = 5000;

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { Decompress } = require(workerData.library);
const { packed, maxBytes } = workerData;
let size = 0;
const decoder = new Decompress((chunk) => {
  size += chunk.length;
  parentPort.postMessage(chunk.slice());
  if (size > maxBytes) throw new Error('larger than the limit');
});
try {
  for (let at = 0; at < packed.length; at += 4096) decoder.push(packed.subarray(at, at + 4096), at + 4096 >= packed.length);
} catch (error) {
  // Whoever has received so much knows; an error could arrive before the last chunk.
  if (size <= maxBytes) throw error;
}
`;

/** Unpacks all of `packed`, and stops soon after `maxBytes`. Throws if it is not zstd, or takes longer than `maxMs`. */
export async function* unpackZstd(
  packed: AsyncIterable<Uint8Array>,
  maxBytes: number,
  maxMs = MAX_MS,
): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of packed) parts.push(part);
  const whole = new Uint8Array(Buffer.concat(parts));
  checkFrames(whole);
  const library = createRequire(import.meta.url).resolve('fzstd');
  const worker = new Worker(THREAD, { eval: true, workerData: { library, packed: whole, maxBytes } });
  try {
    yield* await chunksOf(worker, maxBytes, maxMs);
  } finally {
    await worker.terminate();
  }
}

/** The chunks that the thread sends until it ends, fails, has sent more than `maxBytes` or takes too long. */
function chunksOf(worker: Worker, maxBytes: number, maxMs: number): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`zstd: not unpacked in ${maxMs} ms`)), maxMs);
    worker.on('message', (chunk: Uint8Array) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) resolve(chunks);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(chunks);
    });
  });
}

/**
 * Walks over the headers (RFC 8878, 3.1.1): whole frames, whole blocks, small windows. Throws at the first violation.
 */
function checkFrames(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length;) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      at += 8 + view.getUint32(at + 4, true);
    } else if (magic === 0xfd2fb528) {
      at = endOfFrame(view, at);
    } else throw new Error('zstd: not a frame');
    if (at > bytes.length) throw new Error('zstd: a frame is cut off');
  }
}

function endOfFrame(view: DataView, start: number): number {
  const flags = view.getUint8(start + 4);
  const isSingle = (flags & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  const sizeAt = start + 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3]!;
  const window = isSingle ? contentSize(view, sizeAt, sizeBytes) : windowSize(view.getUint8(start + 5));
  if (window > MAX_WINDOW) throw new Error(`zstd: a window of ${window} bytes`);
  for (let at = sizeAt + sizeBytes; ;) {
    const header = view.getUint8(at) | (view.getUint16(at + 1, true) << 8);
    // An RLE block has only the byte that is repeated.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    if ((header & 1) === 1) return at + ((flags & 4) !== 0 ? 4 : 0);
  }
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(view: DataView, at: number, bytes: number): number {
  if (bytes === 8) return Number(view.getBigUint64(at, true));
  if (bytes === 4) return view.getUint32(at, true);
  return bytes === 2 ? view.getUint16(at, true) + 256 : view.getUint8(at);
}
