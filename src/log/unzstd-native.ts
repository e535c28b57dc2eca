// zstd -> text, by node:zlib, which has libzstd from Node 22.15 on: in a thread of the system, and with half of the
// work of WebAssembly (unzstd.ts).
//
// It decodes only the first frame of each chunk it is given, and silently ignores the rest; some versions do not report
// a truncated last frame either. So frames are separated here (unzstd.ts). Frames without a checksum are left to
// WebAssembly: two builds of libzstd do not detect the same damage. After any error, WebAssembly decodes the input
// again, from the start, so that the message is the same on any Node. If the end is missing, the text passed on by then
// is always less than WebAssembly gives, so the text is the same too; only the bytes between damage and its detection
// may differ.
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { MOST_LOST_BYTES, ZstdFrames } from './unzstd.js';

type CreateDecoder = (options: { readonly chunkSize: number }) => Transform;

/** Undefined if this Node has none. */
const createDecoder = (zlib as { readonly createZstdDecompress?: CreateDecoder }).createZstdDecompress;

/** Larger ones are hardly faster. */
const CALL_BYTES = 1 << 18;

export const hasNativeZstd = createDecoder !== undefined;

/** The text of `chunks`, as far as it is certain; after an error the rest has to come from `rest`. */
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

/** Takes what comes before the last `MOST_LOST_BYTES` from `decoded`, in whole buffers. */
function takeSure(decoded: Buffer[]): Buffer[] {
  let [sure, after] = [decoded.length, 0];
  while (sure > 0 && after < MOST_LOST_BYTES) after += decoded[--sure]!.length;
  return decoded.splice(0, sure);
}

/** The stream as calls that return what was decoded. */
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
