// Pairs of hosts by shared paths are those of the naive way, from memory and from disk.
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { HostPaths } from '../../src/mirrors/by-urls.js';
import { seeded } from '../sketch/sample.js';

const MOST_HOSTS = 100;

function naive(urls: readonly (readonly [string, string])[], fewest: number): string[] {
  const hostsOf = new Map<string, Set<string>>();
  for (const [host, path] of urls) hostsOf.set(path, (hostsOf.get(path) ?? new Set()).add(host));
  const counted = [...hostsOf.values()].filter(({ size }) => size <= MOST_HOSTS);
  const hosts = [...new Set(urls.map(([host]) => host))].sort((a, b) => (a < b ? -1 : 1));
  return hosts.flatMap((a, k) =>
    hosts.slice(k + 1).flatMap((b) => {
      const [ofA, ofB] = [a, b].map((host) => counted.filter((own) => own.has(host)));
      const shared = ofA!.filter((own) => own.has(b)).length;
      return shared < fewest ? [] : [`${a} ${b} ${shared} ${ofA!.length} ${ofB!.length}`];
    }),
  );
}

test.each([1, 2, 3, 4, 5, 6])('hosts with shared paths, %i', (seed) => {
  const random = seeded(seed);
  const hosts = seed === 6 ? 130 : 8;
  const urls = Array.from({ length: 2000 }, (): [string, string] => [
    `h${Math.floor(random() * hosts)}.example`,
    `/${Math.floor(random() ** 3 * 600)}`,
  ]);
  const memoryBytes = seed % 2 === 0 ? 1 << 20 : 4096;
  const paths = new HostPaths({ memoryBytes, tmpdir: '/tmp', stats: { runs: 0, bytes: 0 } });
  for (const [host, path] of urls) {
    const bytes = encodeText(path);
    paths.add(host, bytes, 0, bytes.length);
  }
  const found = paths.finish(3);
  expect(found.map(({ share }) => share)).toEqual(found.map(({ share }) => share).sort((a, b) => b - a));
  const lines = found.map(({ hosts: [a, b], shared, paths: [ofA, ofB] }) => `${a} ${b} ${shared} ${ofA} ${ofB}`);
  expect(lines.sort((a, b) => (a < b ? -1 : 1))).toEqual(naive(urls, 3).sort((a, b) => (a < b ? -1 : 1)));
  expect(lines.length).toBeGreaterThan(3);
  if (seed === 6) expect(paths.tooCommon).toBeGreaterThan(0);
});
