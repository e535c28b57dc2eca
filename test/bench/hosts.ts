// Lists of many hosts whose truth is known, and the judge of canonical forms.
//
//   node dist/test/bench/hosts.js make --out open-20k --hosts 20000 --classes open
//   node dist/test/bench/hosts.js judge --truth open-20k.truth.tsv PAIRS
//
// PAIRS is what `dustbuster canonize --pairs -i open-20k.urls.txt` prints. `make` writes these beside NAME.truth.tsv and
// NAME.urls.txt, by `--formats sizes,digests,json,cdxj,log`. With --split, half of the URLs of four in five hosts are the
// lists to mine, and truth and urls.txt have all URLs.
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { ASIDE } from './hosts/aside.js';
import { judged, tableOf } from './hosts/judge.js';
import { madeHosts, type Plan, type Set } from './hosts/made.js';
import { OPEN } from './hosts/open.js';
import { LISTINGS } from './hosts/records.js';
import { writeLists } from './hosts/write.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'hosts' },
    hosts: { type: 'string', default: '20000' },
    classes: { type: 'string', default: 'open' },
    skewed: { type: 'boolean', default: false },
    'urls-per-host': { type: 'string', default: '10' },
    split: { type: 'boolean', default: false },
    farm: { type: 'string', default: '0' },
    wildcard: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    formats: { type: 'string', default: 'sizes' },
    truth: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});

switch (positionals[0]) {
  case 'make':
    await make();
    break;
  case 'judge':
    await judge(positionals[1]);
    break;
  default:
    throw new Error(`got the command ${positionals[0]}, expected make or judge`);
}

async function make(): Promise<void> {
  const plan: Plan = {
    seed: countOf('seed'),
    hosts: countOf('hosts'),
    classes: classesOf(flags.classes),
    urlsPerHost: flags.skewed ? undefined : countOf('urls-per-host'),
    farm: countOf('farm'),
    wildcard: countOf('wildcard'),
  };
  const formats = flags.formats.split(',').map((name) => {
    const listing = LISTINGS[name];
    if (listing === undefined) throw new Error(`got the format ${name}, expected ${Object.keys(LISTINGS).join(', ')}`);
    return listing;
  });
  const made = await writeLists(madeHosts(plan), {
    out: flags.out,
    listings: formats,
    isSplit: flags.split,
    seed: plan.seed,
  });
  console.error(`${flags.out}: ${made.urls} URLs, ${made.pages} pages, ${made.hosts} hosts`);
}

async function judge(pairs: string | undefined): Promise<void> {
  const counts = await judged(
    createReadStream(flags.truth),
    pairs === undefined ? process.stdin : createReadStream(pairs),
  );
  console.log(flags.json ? JSON.stringify(counts) : tableOf(counts));
}

function classesOf(which: string): Plan['classes'] {
  const of = (set: Set, list: typeof OPEN): Plan['classes'] => list.map((software) => ({ set, software }));
  if (which === 'open') return of('open', OPEN);
  if (which === 'aside') return of('aside', ASIDE);
  if (which === 'all') return [...of('open', OPEN), ...of('aside', ASIDE)];
  throw new Error(`got --classes ${which}, expected open, aside or all`);
}

function countOf(name: 'seed' | 'hosts' | 'urls-per-host' | 'farm' | 'wildcard'): number {
  const count = Number(flags[name]);
  if (!Number.isInteger(count) || count < 0) throw new Error(`got --${name} ${flags[name]}, expected a number`);
  return count;
}
