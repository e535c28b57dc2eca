// Chunks, gzip or plain, to plain chunks: what starts with the two bytes of gzip is gzip, whatever its name.
import { once } from 'node:events';
import { createGunzip } from 'node:zlib';

/** A slice this small cannot swell to more than some 8 MB, however hostile it is. */
const sliceBytes = 8192;

/** Damaged or truncated gzip: what could be read is given, then `onDamage` is told once, and the input is over. */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  onDamage: (reason: string) => void,
): AsyncIterable<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let gunzip: Gunzip | undefined;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (head !== undefined) {
      bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      head = bytes.length < 2 ? bytes : undefined;
      if (head !== undefined) continue;
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) gunzip = startGunzip();
    }
    if (gunzip === undefined) yield bytes;
    else if (!(yield* gunzip.write(bytes))) return onDamage(gunzip.failure());
  }
  if (head !== undefined && head.length > 0) yield head;
  if (gunzip !== undefined && !(yield* gunzip.end())) onDamage(gunzip.failure());
}

interface Gunzip {
  /** Gives what the bytes unpack to; its result is false when they are damaged. */
  write(bytes: Uint8Array): AsyncGenerator<Uint8Array, boolean>;
  end(): AsyncGenerator<Uint8Array, boolean>;
  failure(): string;
}

// A stream that is destroyed by an error drops what it has unpacked but not handed out. So its data is taken as it comes,
// and it is fed one slice at a time.
function startGunzip(): Gunzip {
  const stream = createGunzip();
  let ready: Uint8Array[] = [];
  let error: Error | undefined;
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  stream.on('error', (reason) => {
    error ??= reason;
  });
  function* takeReady() {
    const chunks = ready;
    ready = [];
    yield* chunks;
  }
  return {
    async *write(bytes) {
      for (let at = 0; at < bytes.length && error === undefined; at += sliceBytes) {
        await new Promise<void>((taken) => stream.write(bytes.subarray(at, at + sliceBytes), () => taken()));
        yield* takeReady();
      }
      return error === undefined;
    },
    async *end() {
      const closed = once(stream, 'close').catch(() => undefined); // the error itself is kept by the listener above
      stream.end();
      await closed;
      yield* takeReady();
      return error === undefined;
    },
    failure: () => error?.message ?? 'unknown damage',
  };
}
