// How fresh, how old and how late are the copies of a crawler that fetches M pages a night by the plans of refresh, and
// by the policies beside it? Of a simulated crawl, and of one that is replayed from the log of a server: the size of a
// page is what it was when it was last requested, and a change of it is a change of the page.
//
//   requests      Mon 9:00 120    Mon 17:00 120    Tue 12:00 131    Thu 8:00 131        one change, at day 1.5
//   nights                     |                |                |                |     what is due is fetched here
//
// A copy counts for all of a day: fresh until the first change behind it, then old by the time since. The delay is
// that of each change to the next fetch. Rates are estimated from these fetches alone.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import { decodeText, encodeText } from '../../../src/base/bytes.js';
import { POLICIES, type Freshness, type Policy } from '../../../src/state/freshness.js';
import { planRefresh } from '../../../src/state/refresh.js';
import type { SeenUrl } from '../../../src/state/visits.js';
import { collate, uncollate } from '../../../src/url/token.js';
import { seededRandom } from '../../planted.js';
import type { Bench, Case, Way } from '../bench.js';

/** A log in the combined format, of several days: `BENCH_REPLAY=access.log.gz npm run bench -- --only refresh`. */
const LOG = process.env['BENCH_REPLAY'];
const DAY_MS = 86_400_000;
/** Days with a request, from which a page of the log can be followed. */
const LEAST_DAYS = 3;

/** When a page changes, in days since the first midnight; from the first on. */
type Changes = readonly number[];

interface Crawl {
  readonly pages: readonly Changes[];
  readonly nights: number;
  /** The first night behind which copies are measured. */
  readonly measuredFrom: number;
}

export const refresh: Case = {
  name: 'refresh',
  isByHand: true,
  async run(bench) {
    const crawl = simulated(200, 160);
    await compare(bench, 'simulated pages, 80 nights after 80', crawl, 20);
    if (LOG === undefined) return bench.say('replay of a log: left out, as BENCH_REPLAY names none\n');
    const replayed = replayedFrom(LOG);
    const { pages, nights, measuredFrom } = replayed;
    const changes = pages.reduce((sum, one) => sum + one.length, 0);
    const what = `pages of a log of ${nights} days with ${changes} changes, from night ${measuredFrom} on`;
    for (const share of [0.05, 0.1, 0.2, 0.4]) {
      await compare(bench, what, replayed, Math.round(share * pages.length));
    }
  },
};

async function compare(bench: Bench, what: string, crawl: Crawl, budget: number): Promise<void> {
  await bench.compare({
    work: `refresh, ${crawl.pages.length} ${what}, ${budget} fetches a night`,
    count: crawl.pages.length * crawl.nights,
    unit: 'visits planned',
    ways: POLICIES.map((policy) => wayOf(crawl, policy, budget)),
  });
}

function wayOf(crawl: Crawl, policy: Policy, budget: number): Way {
  let found: Freshness = { freshness: 0, age: 0, delay: 0 };
  return {
    who: policy,
    runs: 1,
    run: async () => {
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      found = followed(crawl, policy, budget);
      const { user, system } = process.cpuUsage(cpu);
      const seconds = (performance.now() - start) / 1000;
      return { seconds, cpuSeconds: (user + system) / 1e6, mebibytes: Math.round(process.memoryUsage().rss / 2 ** 20) };
    },
    note: () =>
      `freshness ${found.freshness.toFixed(3)}, age ${found.age.toFixed(2)} days, delay ${found.delay.toFixed(2)}`,
  };
}

/** Rates from .003 to 1.2 changes a day. */
function simulated(count: number, nights: number): Crawl {
  const random = seededRandom(23);
  const pages = Array.from({ length: count }, () => {
    const rate = 0.003 * Math.exp(6 * random());
    const wait = () => -Math.log(1 - random()) / rate;
    const changes: number[] = [];
    for (let at = wait(); at < nights + 1; at += wait()) changes.push(at);
    return changes;
  });
  return { pages, nights, measuredFrom: nights / 2 + 1 };
}

interface Request {
  /** In days since 1970. */
  readonly at: number;
  readonly size: string;
}

const LINE = /\[(\d+)\/(\w{3})\/(\d+):(\d+):(\d+):(\d+) ([+-]\d\d)(\d\d)\] "GET (\S+) [^"]*" 200 (\d+)/;

function replayedFrom(path: string): Crawl {
  const file = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(file) : file).toString('latin1');
  const seen = new Map<string, Request[]>();
  for (const line of text.split('\n')) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const [, day, month, year, hours, minutes, seconds, zone, zoneMinutes, url, size] = found;
    const at = Date.parse(`${day} ${month} ${year} ${hours}:${minutes}:${seconds} GMT${zone}${zoneMinutes}`) / DAY_MS;
    const requests = seen.get(url!) ?? [];
    requests.push({ at, size: size! });
    seen.set(url!, requests);
  }
  const all = [...seen.values()].flat().map(({ at }) => at);
  const first = Math.floor(all.reduce((least, at) => Math.min(least, at), Infinity));
  const last = Math.floor(all.reduce((most, at) => Math.max(most, at), 0));
  const pages = [...seen.values()]
    .map(lastOfDays)
    .filter((requests) => requests.length >= LEAST_DAYS)
    .map((requests) =>
      requests.filter(({ size }, k) => k > 0 && size !== requests[k - 1]!.size).map(({ at }) => at - first),
    );
  return { pages, nights: last - first + 1, measuredFrom: 4 };
}

/** A page that answers in two encodings has two sizes on a day: that is no change. */
function lastOfDays(requests: readonly Request[]): Request[] {
  const sorted = requests.toSorted((a, b) => a.at - b.at);
  return sorted.filter(({ at }, k) => Math.floor(sorted[k + 1]?.at ?? Infinity) > Math.floor(at));
}

/** All copies are those of the beginning; nothing is known of their pages then. */
function followed({ pages, nights, measuredFrom }: Crawl, policy: Policy, budget: number): Freshness {
  const visits = pages.map(() => ({ comparisons: 0, changes: 0, daysCompared: 0, daysChanged: 0, lastDay: 0 }));
  const urls = pages.map((_, at) => collate(encodeText(`http://a.test/${at}`)));
  const room = { memoryBytes: 1 << 22, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } };
  const sum = { freshness: 0, age: 0, delay: 0 };
  for (let night = 1; night <= nights; night++) {
    const isMeasured = night >= measuredFrom;
    const seen = urls.map((bytes, at): SeenUrl => ({ bytes, urlStart: 0, urlEnd: bytes.length, visits: visits[at]! }));
    const { due } = planRefresh(seen, { budget, policy, tonight: night, formOf: uncollate, room });
    for (const { form } of due) {
      const at = Number(decodeText(form).slice('http://a.test/'.length));
      const { lastDay } = visits[at]!;
      const found = pages[at]!.filter((change) => change >= lastDay && change < night);
      visits[at] = visited(visits[at]!, night, found.length > 0);
      if (isMeasured) sum.delay += found.reduce((delay, change) => delay + night - change, 0);
    }
    if (!isMeasured) continue;
    for (const [at, changes] of pages.entries()) addDay(sum, changes, visits[at]!.lastDay, night);
  }
  const days = pages.length * (nights - measuredFrom + 1);
  return { freshness: sum.freshness / days, age: sum.age / days, delay: sum.delay / days };
}

function visited(before: SeenUrl['visits'], night: number, isChanged: boolean): SeenUrl['visits'] {
  const days = night - before.lastDay;
  return {
    comparisons: before.comparisons + 1,
    changes: before.changes + (isChanged ? 1 : 0),
    daysCompared: before.daysCompared + days,
    daysChanged: before.daysChanged + (isChanged ? days : 0),
    lastDay: night,
  };
}

/** Of the day that begins at midnight `day`: how much of it the copy of `lastDay` is fresh, and how old it is. */
function addDay(sum: { freshness: number; age: number }, changes: Changes, lastDay: number, day: number): void {
  const old = changes.find((change) => change >= lastDay) ?? Infinity;
  const since = Math.min(Math.max(old, day), day + 1);
  sum.freshness += since - day;
  if (old < day + 1) sum.age += ((day + 1 - old) ** 2 - (since - old) ** 2) / 2;
}
