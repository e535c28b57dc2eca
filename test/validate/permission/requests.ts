// Requests as a log has them, for tests of what is learned from them.
import { hashBytes } from '../../../src/base/hash.js';
import { VISITOR, type RecordBatch } from '../../../src/log/record.js';
import { Evidence } from '../../../src/validate/permission/evidence.js';

export interface Request {
  readonly url: string;
  /** 'bot' says so; any other is a person at an address of that name. */
  readonly by: string;
  readonly agent?: string;
}

export function batchOf(requests: readonly Request[]): RecordBatch {
  const urls = requests.map(({ url }) => Buffer.from(url));
  const ends = urls.reduce<number[]>((all, url) => [...all, (all.at(-1) ?? 0) + url.length], []);
  const hashOf = (text: string) => (text === '' ? 0 : hashBytes(Buffer.from(text), 0, text.length) | 1);
  return {
    block: null,
    rows: requests.length,
    bytes: Buffer.concat(urls),
    urlStart: Int32Array.from([0, ...ends.slice(0, -1)]),
    urlEnd: Int32Array.from(ends),
    size: new Float64Array(requests.length),
    sketchStart: Int32Array.from(ends),
    sketchEnd: Int32Array.from(ends),
    visitor: Uint8Array.from(requests, ({ by }) =>
      by === '' ? VISITOR.unknown : by === 'bot' ? VISITOR.bot : VISITOR.person,
    ),
    day: null,
    duration: null,
    client: Uint32Array.from(requests, ({ by }) => hashOf(by)),
    agent: Uint32Array.from(requests, ({ agent = '' }) => hashOf(agent)),
    status: null,
  };
}

export function evidenceOf(requests: readonly Request[]): Evidence {
  const evidence = new Evidence();
  evidence.add(batchOf(requests));
  return evidence;
}

/** One request of each of the clients. */
export function readBy(url: string, ...clients: readonly string[]): Request[] {
  return clients.map((by) => ({ url, by }));
}
