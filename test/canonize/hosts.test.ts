import { describe, expect, it } from 'vitest';
import {
  createHosts,
  KEYS_LENGTH,
  ROWS_LENGTH,
  type Host,
  type Hosts,
  type HostTables,
} from '../../src/canonize/hosts.js';
import { amount } from '../amount.js';

/** The answer for a host depends only on its name. */
function describeHost(key: Uint8Array): Host {
  const text = Buffer.from(key).toString('latin1');
  const number = Number(/\d+/.exec(text)?.[0] ?? 0);
  const rules = number % 3 === 0 ? Int32Array.of(number) : new Int32Array(0);
  return { isPlain: text === text.toLowerCase(), group: number, rules };
}

const newTables = () => ({ rows: new Int32Array(ROWS_LENGTH), keys: new Uint8Array(KEYS_LENGTH) });
const newHosts = (tables = newTables()) => createHosts(describeHost, tables);
const rulesOf = ({ list }: Hosts, { rows }: HostTables) => [...rows.subarray(list + 1, list + 1 + rows[list]!)];

describe('the hosts of a list', () => {
  it('are distinguished, however many there are, in whatever order they come', () => {
    const tables = newTables();
    const hosts = newHosts(tables);
    let seen = 0;
    for (let k = 0; k < amount(60_000); k++) {
      const number = k % 2 === 0 ? k % 14 : Math.imul(k, 0x9e3779b1) >>> 18;
      const host = `http${k % 5 === 0 ? 's' : ''}://h${number}.${k % 7 === 0 ? 'TEST' : 'test'}`;
      const line = Buffer.from(`x\n${host}/a/b\n`);
      const end = hosts.end(line, 2, line.length);
      if (k % 7 === 0) {
        expect(end).toBe(-1);
        continue;
      }
      seen++;
      expect([end, hosts.group]).toEqual([2 + host.length, number]);
      expect(rulesOf(hosts, tables)).toEqual(number % 3 === 0 ? [number] : []);
    }
    expect(seen).toBeGreaterThan(amount(50_000));
  });

  it.each(['', '/a', 'http:/a', 'http://h', 'http://h?a/b', 'http://h#a/', 'http://h h/', 'http://h\n/', 'ftp://h/'])(
    'count only if a path follows: not in %j',
    (text) => expect(newHosts().end(Buffer.from(text), 0, text.length)).toBe(-1),
  );

  it('end before the limit, even a host that is known already', () => {
    const hosts = newHosts();
    const line = Buffer.from('http://h1/');
    expect(hosts.end(line, 0, 10)).toBe(9);
    expect(hosts.end(line, 0, 9)).toBe(-1);
  });

  it('are not plain if they have very many rules', () => {
    for (const count of [0, 12, 13, 500]) {
      const tables = newTables();
      const rules = Int32Array.from({ length: count }, (_, k) => k);
      const hosts = createHosts(() => ({ isPlain: true, group: 3, rules }), tables);
      for (let k = 0; k < 2; k++) {
        expect(hosts.end(Buffer.from('http://h1/'), 0, 10)).toBe(count > 12 ? -1 : 9);
        if (count <= 12) expect(rulesOf(hosts, tables)).toEqual([...rules]);
      }
    }
  });

  it('are not plain if they are very long', () => {
    const line = Buffer.from(`http://${'h'.repeat(200)}/`);
    expect(newHosts().end(line, 0, line.length)).toBe(-1);
  });
});
