// Labels as crawls give them: a sketch with facts before it (kernel/layout/facts), one char per byte.
import * as FACTS from '../src/kernel/layout/facts.js';

export interface Capture {
  /** False for a redirect. */
  readonly isPage?: boolean;
  readonly name?: string;
  readonly languages?: number;
  readonly time?: number;
  readonly sketch?: string;
}

export function labelOf({ isPage = true, name = '', languages = 0, time = 0, sketch = '' }: Capture): string {
  const head = Buffer.alloc(FACTS.FACTS_BYTES);
  head[0] = FACTS.MARK;
  head[FACTS.FLAGS] = isPage ? FACTS.IS_PAGE : 0;
  head.writeUInt16LE(name.length, FACTS.NAME_LENGTH);
  head.writeUInt32LE(languages, FACTS.LANGUAGES);
  head.writeDoubleLE(time, FACTS.TIME);
  return head.toString('latin1') + name + sketch;
}
