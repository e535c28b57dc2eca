import { Buffer } from 'node:buffer';

/** Lines of a combined log that hardly compress. */
export function seededLines(count: number): Buffer {
  let state = 42;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  const line = (k: number) =>
    `10.0.0.${next() % 250} - - [10/Feb/2012:16:42:07 -0500] "GET /${k}/${next().toString(36)} HTTP/1.1" 200 ${next() % 1e5}`;
  return Buffer.from(Array.from({ length: count }, (_, k) => line(k)).join('\n'));
}
