// Pairs that other machines have drawn.
import { expect, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { HostPlanner, type DrawnSite } from '../../../src/validate/hosts/plan.js';
import { sketchOf } from '../../../src/validate/plan.js';
import type { SiteUrls } from '../../../src/table/site-urls.js';
import { sampleParameter } from '../../rule/sample.js';
import { siteReaderOf } from '../../url-list.js';

const HOSTS = [0, 1, 2, 3].map((k) => `h${k}.test`);
const named = (hosts: readonly string[]) => hosts.map((is) => ({ part: 'host', is }) as const);
const rules = [
  sampleParameter('sid', { only: named(HOSTS.slice(0, 2)) }),
  sampleParameter('src', { not: named(HOSTS.slice(3)) }),
] as Rule[];

const URLS = HOSTS.flatMap((host) =>
  ['', '?sid=1', '?sid=2&src=a', '?src=a', '?src=b'].map((rest) => ({
    url: `http://${host}/x${rest}`,
    sketch: `${host} x`,
  })),
);

function eachSite(visit: (urls: SiteUrls) => void): void {
  const sites = siteReaderOf(URLS, 1 << 20, (url) => url.split('/')[2]!);
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) visit(urls);
  sites.close();
}

test('are those that one would have drawn of all sites', () => {
  const [one, other, all] = [0, 1, 2].map(() => new HostPlanner(rules, { sketchOf }));
  const drawn: DrawnSite[] = [];
  eachSite((urls) => {
    all!.draw(urls);
    drawn.push(one!.drawnOf(urls));
  });
  expect(one!.plansOf(rules).flatMap(({ sites }) => sites)).toEqual([]);
  for (const site of JSON.parse(JSON.stringify(drawn)) as DrawnSite[]) other!.take(site);
  expect(other!.plansOf(rules)).toEqual(all!.plansOf(rules));
  expect(other!.sketches).toEqual(all!.sketches);
  expect(all!.plansOf(rules).map(({ sites }) => sites.map(({ site }) => site))).toEqual([
    HOSTS.slice(0, 2),
    HOSTS.slice(0, 3),
  ]);
  expect(all!.sketches.size).toBeGreaterThan(8);
});
