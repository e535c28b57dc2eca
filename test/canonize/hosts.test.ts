import { describe, expect, it } from 'vitest';
import { createHosts, KEYS_LENGTH, ROWS_LENGTH, type Host, type HostTables } from '../../src/canonize/hosts.js';
import { GROUP, KEY_BYTES, LENGTH, LIST, NOT_PLAIN, PLACES, WAYS, WIDTH } from '../../src/kernel/layout/host.js';
import { amount } from '../amount.js';

/** The answer for a host depends only on its name. */
function describeHost(key: Uint8Array): Host {
  const text = Buffer.from(key).toString('latin1');
  const number = Number(/\d+/.exec(text)?.[0] ?? 0);
  const rules = number % 3 === 0 ? Int32Array.of(number) : new Int32Array(0);
  return { isPlain: text === text.toLowerCase(), group: number, rules };
}

const newTables = () => ({ rows: new Int32Array(ROWS_LENGTH), keys: new Uint8Array(KEYS_LENGTH) });

/** What the cache says of each host in it. */
function kept({ rows, keys }: HostTables): Map<string, { group: number; rules: readonly number[] }> {
  const hosts = new Map<string, { group: number; rules: readonly number[] }>();
  for (let place = 0; place < PLACES + WAYS; place++) {
    const row = rows.subarray(WIDTH * place, WIDTH * (place + 1));
    if (row[LENGTH] === 0) continue;
    const key = Buffer.from(keys.subarray(KEY_BYTES * place, KEY_BYTES * place + row[LENGTH]!)).toString('latin1');
    const rules = row[GROUP] === NOT_PLAIN ? [] : [...row.subarray(LIST + 1, LIST + 1 + row[LIST]!)];
    hosts.set(key, { group: row[GROUP]!, rules });
  }
  return hosts;
}

describe('the hosts of a list', () => {
  it('are distinguished, however many there are, in whatever order they come', () => {
    const tables = newTables();
    const know = createHosts(describeHost, tables);
    const all = new Set<string>();
    let again = 0;
    for (let k = 0; k < amount(60_000); k++) {
      const number = k % 2 === 0 ? k % 14 : Math.imul(k, 0x9e3779b1) >>> 18;
      const host = `http${k % 5 === 0 ? 's' : ''}://h${number}.${k % 7 === 0 ? 'TEST' : 'test'}`;
      all.add(host);
      const line = Buffer.from(`x\n${host}/a/b\n`);
      if (!know(line, 2, line.length)) again++;
      expect(know(line, 2, line.length)).toBe(false);
    }
    expect(again).toBeGreaterThan(amount(20_000));
    const hosts = kept(tables);
    expect(hosts.size).toBeGreaterThan(amount(3000));
    for (const [host, { group, rules }] of hosts) {
      expect(all.has(host)).toBe(true);
      const number = Number(/\d+/.exec(host)![0]);
      const isPlain = host === host.toLowerCase();
      expect([group, rules]).toEqual(isPlain ? [number, number % 3 === 0 ? [number] : []] : [NOT_PLAIN, []]);
    }
  });

  it.each(['', '/a', 'http:/a', 'http://h', 'http://h?a/b', 'http://h#a/', 'http://h h/', 'http://h\n/', 'ftp://h/'])(
    'count only if a path follows: not in %j',
    (text) => {
      const tables = newTables();
      expect(createHosts(describeHost, tables)(Buffer.from(text), 0, text.length)).toBe(false);
      expect(kept(tables).size).toBe(0);
    },
  );

  it('end before the limit', () => {
    const know = createHosts(describeHost, newTables());
    const line = Buffer.from('http://h1/');
    expect(know(line, 0, 9)).toBe(false);
    expect(know(line, 0, 10)).toBe(true);
  });

  it('are not plain if they have very many rules', () => {
    for (const count of [0, 12, 13, 500]) {
      const tables = newTables();
      const rules = Int32Array.from({ length: count }, (_, k) => k);
      const know = createHosts(() => ({ isPlain: true, group: 3, rules }), tables);
      expect([1, 2].map(() => know(Buffer.from('http://h1/'), 0, 10))).toEqual([true, false]);
      const expected = count > 12 ? { group: NOT_PLAIN, rules: [] } : { group: 3, rules: [...rules] };
      expect(kept(tables).get('http://h1')).toEqual(expected);
    }
  });

  it('are not kept if they are very long', () => {
    const tables = newTables();
    const line = Buffer.from(`http://${'h'.repeat(200)}/`);
    expect(createHosts(describeHost, tables)(line, 0, line.length)).toBe(false);
    expect(kept(tables).size).toBe(0);
  });
});
