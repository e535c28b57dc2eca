import { describe, expect, it } from 'vitest';
import { createHosts, type Host } from '../../src/canonize/hosts.js';

/** What is said of a host follows from its name. */
function describeHost(key: Uint8Array): Host {
  const text = Buffer.from(key).toString('latin1');
  const number = Number(/\d+/.exec(text)?.[0] ?? 0);
  const rules = number % 3 === 0 ? Int32Array.of(number) : new Int32Array(0);
  return { isPlain: text === text.toLowerCase(), group: number, rules };
}

describe('the hosts of a list', () => {
  it('are told apart, however many there are, in whatever order they come', () => {
    const hosts = createHosts(describeHost);
    let seen = 0;
    for (let k = 0; k < 60_000; k++) {
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
      expect([...hosts.rules]).toEqual(number % 3 === 0 ? [number] : []);
    }
    expect(seen).toBeGreaterThan(50_000);
  });

  it.each(['', '/a', 'http:/a', 'http://h', 'http://h?a/b', 'http://h#a/', 'http://h h/', 'http://h\n/', 'ftp://h/'])(
    'stand only where a path follows: not in %j',
    (text) => expect(createHosts(describeHost).end(Buffer.from(text), 0, text.length)).toBe(-1),
  );

  it('end before the limit, also the one that was there before', () => {
    const hosts = createHosts(describeHost);
    const line = Buffer.from('http://h1/');
    expect(hosts.end(line, 0, 10)).toBe(9);
    expect(hosts.end(line, 0, 9)).toBe(-1);
  });

  it('are not plain if they are very long', () => {
    const line = Buffer.from(`http://${'h'.repeat(200)}/`);
    expect(createHosts(describeHost).end(line, 0, line.length)).toBe(-1);
  });
});
