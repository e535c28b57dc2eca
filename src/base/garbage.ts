// Asks for a garbage collection where V8 would not think of one: it does not count shared memory, so that buffers which
// nobody holds any more, of hundreds of megabytes, would stay.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** So much may lie about: a collection takes 40 ms once the public suffix list is in the heap. */
const MOST_BYTES = 32 << 20;
let bytesGivenUp = 0;

/** To be called where so many bytes of shared memory were given up, or are about to be. */
export function countGarbage(bytes: number): void {
  bytesGivenUp += bytes;
  if (bytesGivenUp < MOST_BYTES) return;
  bytesGivenUp = 0;
  collectGarbage();
}

export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
