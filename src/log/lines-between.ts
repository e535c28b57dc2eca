// The lines of a plain file that begin in a range of it, whole and however long they are: ranges that follow one another
// have each line once.
//
//   ranges   |..\n.....\n..|....\n..|..........|..\n...
//   lines    |==============|---    |          |           see log/parts, which bounds the length of a line
import { closeSync, openSync } from 'node:fs';
import { NEWLINE } from '../base/ascii.js';
import { systemName } from '../base/file-name.js';
import { readFully } from './parts.js';
import type { TextRange } from './range.js';

const CHUNK_BYTES = 1 << 18;

/** `textStart`: where the first line of the file begins. Each chunk is overwritten by the next but one. */
export function* linesBetween(path: string, { start, end }: TextRange, textStart: number): Generator<Uint8Array> {
  const fd = openSync(systemName(path), 'r');
  try {
    const rooms = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
    let at = start > textStart ? start - 1 : start;
    let isSkipping = start > textStart;
    for (let turn = 0; isSkipping ? at < end : true; turn++) {
      const room = rooms[turn % rooms.length]!;
      const chunk = room.subarray(0, readFully(fd, room, 0, CHUNK_BYTES, at));
      if (chunk.length === 0) return;
      let from = 0;
      if (isSkipping) {
        from = chunk.indexOf(NEWLINE) + 1;
        isSkipping = from === 0;
        if (isSkipping) from = chunk.length;
        else if (at + from >= end) return;
      }
      // The newline at `end - 1`, or the first after it, ends the last line.
      const last = at + chunk.length < end ? -1 : chunk.indexOf(NEWLINE, Math.max(from, end - 1 - at));
      const to = last < 0 ? chunk.length : last + 1;
      if (to > from) yield chunk.subarray(from, to);
      if (last >= 0) return;
      at += chunk.length;
    }
  } finally {
    closeSync(fd);
  }
}
