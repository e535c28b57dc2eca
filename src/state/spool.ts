// Copies standard input and pipes to a scratch file, so that they can be read twice: once to recognize them, once to
// mine them.
import { ScratchFile } from '../base/scratch.js';
import type { Input } from '../log/bytes.js';

const CHUNK_BYTES = 1 << 18;

/** The same input, in a scratch file. An error while it is copied is raised again when it is read. */
export async function spooled(input: Input, tmpdir: string): Promise<Input> {
  const file = new ScratchFile(tmpdir);
  let failure: unknown;
  try {
    for await (const chunk of input.open()) file.append(chunk);
  } catch (error) {
    failure = error;
  }
  function* chunks(): Generator<Buffer> {
    for (let at = 0; at < file.length;) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, file.length - at));
      at += file.read(chunk, at);
      yield chunk;
    }
    if (failure !== undefined) throw failure;
  }
  return { name: input.name, open: chunks };
}
