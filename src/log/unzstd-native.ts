// Decompresses zstd by node:zlib, which has libzstd from Node 22.15 on: in a thread of the system, and with half of the
// CPU of WebAssembly (unzstd.ts).
//
// It decodes only the first frame of each chunk that it gets, and silently ignores the rest. Some versions do not
// report a truncated last frame either. So frames are separated here (unzstd.ts). Frames without a checksum are left to
// WebAssembly, as two builds of libzstd do not detect the same damage. After any error, WebAssembly decodes the input
// again from the start, so the message is the same on any Node. If the input is truncated, the text is the same too,
// because less is passed on before the error than WebAssembly yields. If it is damaged, only the bytes between the
// damage and its detection may differ.
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { MOST_LOST_BYTES, ZstdFrames } from './unzstd.js';

type CreateDecoder = (options: { readonly chunkSize: number }) => Transform;

/** Undefined if this version of Node has none. */
const createDecoder = (zlib as { readonly createZstdDecompress?: CreateDecoder }).createZstdDecompress;

/** Larger ones are hardly faster. */
const CALL_BYTES = 1 << 18;

export const hasNativeZstd = createDecoder !== undefined;

/** The text of `chunks`, as far as it is certain. After an error, `rest` gives the remaining text. */
export async function* unzstdNatively(
  chunks: AsyncIterable<Buffer>,
  rest: (given: number) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const frames = new ZstdFrames();
  const decoder = new Decoder();
  const isUnsure = () => frames.isBroken || !frames.isSummed || decoder.hasFailed;
  let given = 0;
  try {
    let decoded: Buffer[] = [];
    for await (const chunk of chunks) {
      for (const piece of frames.cut(chunk)) {
        if (!frames.isSummed) break;
        const coming = decoder.write(piece);
        for (const bytes of takeSure(decoded)) {
          given += bytes.length;
          yield bytes;
        }
        decoded = [...decoded, ...(await coming)];
        if (isUnsure()) break;
      }
      if (isUnsure()) break;
    }
    if (isUnsure() || frames.isOpen) yield* rest(given);
    else yield* decoded;
  } finally {
    decoder.close();
  }
}

/** Takes whole buffers off `decoded` that come before its last `MOST_LOST_BYTES`. */
function takeSure(decoded: Buffer[]): Buffer[] {
  let [sure, after] = [decoded.length, 0];
  while (sure > 0 && after < MOST_LOST_BYTES) after += decoded[--sure]!.length;
  return decoded.splice(0, sure);
}

/** zlib's stream as calls that return what was decoded. */
class Decoder {
  readonly #stream = createDecoder!({ chunkSize: CALL_BYTES });
  #decoded: Buffer[] = [];
  #wake = (): void => {};
  hasFailed = false;

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#decoded.push(data));
    this.#stream.on('error', () => {
      this.hasFailed = true;
      this.#wake();
    });
  }

  async write(piece: Buffer): Promise<Buffer[]> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#stream.write(piece, () => resolve());
    });
    return this.#decoded.splice(0);
  }

  close(): void {
    this.#stream.destroy();
  }
}
