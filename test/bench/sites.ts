// What does the program learn of sites that nobody here wrote? Real software on this machine, mined with the network,
// with archived pages and without either, and measured against the truth of its pages. test/bench/README.md says how
// sites come up.
//
//   npm run bench:sites -- [--site wiki,blog] [--seeds 1,2,3] [--budget 300,default] [--way fetch,pages,none]
//                          [--others FOLDER] [--checkout FOLDER] [--out FILE]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeAll } from './sites/ask.js';
import { LiveSite } from './sites/alive.js';
import { insertionsUnasked } from './sites/insertions.js';
import { measuredSite, SITE_NAMES, type MeasuredSite } from './sites/measured-site.js';
import { measureForms, type FormMeasures } from './sites/measures.js';
import {
  calibrationOf,
  judgeByAsking,
  judgeRules,
  precisionAt,
  type Precision,
  type Tenth,
} from './sites/rules-judged.js';
import { Checkout, type Way } from './sites/run.js';
import { asCount, asPercent, asShare, markdownOf, spreadOf, told } from './sites/spread.js';

/** One run of one seed, or what a person's rules reach. */
interface Figures {
  readonly site: string;
  readonly way: Way | 'by hand';
  readonly budget: number | null;
  readonly seed: number;
  readonly forms: FormMeasures;
  readonly dead: number;
  readonly redirecting: number;
  readonly deadShare: number;
  readonly unsettled: number;
  readonly rules: number;
  readonly insertions: number;
  readonly requests: number;
  readonly seconds: number;
}

interface Unfetched {
  readonly site: string;
  readonly rules: number;
  readonly precisions: readonly Precision[];
  readonly calibration: readonly Tenth[];
  /** What the list becomes by all likely rules, and by the confident ones; null if the checkout does not know these. */
  readonly likely: FormMeasures | null;
  readonly confident: FormMeasures | null;
  readonly seconds: number;
}

const WAYS: readonly Way[] = ['fetch', 'pages', 'none'];

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', default: SITE_NAMES.join(',') },
    seeds: { type: 'string', default: '1,2,3,4,5' },
    budget: { type: 'string', default: 'default,1000,300' },
    way: { type: 'string', default: WAYS.join(',') },
    others: { type: 'string' },
    checkout: { type: 'string', default: new URL('../../..', import.meta.url).pathname },
    out: { type: 'string' },
  },
});
const seeds = flags.seeds.split(',').map((text) => countIn(text, '--seeds'));
const budgets = flags.budget.split(',').map((text) => (text === 'default' ? null : countIn(text, '--budget')));
const ways = flags.way.split(',').map((text) => oneOf(WAYS, text, '--way'));
const names = flags.site.split(',').map((text) => oneOf(SITE_NAMES, text, '--site'));

const folder = mkdtempSync(join(tmpdir(), 'dustbuster-sites-'));
const [fetched, unfetched]: [Figures[], Unfetched[]] = [[], []];
try {
  const checkout = await Checkout.at(resolve(flags.checkout), folder);
  for (const name of names) {
    const site = await measuredSite(name, flags.others ?? process.env['SHARED_SITES'] ?? null);
    if (typeof site === 'string') console.error(`${name}: left out, ${site}`);
    else await measure(site, checkout);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await closeAll();
}
console.log(fetchedTable());
console.log(unfetchedTables());

async function measure(site: MeasuredSite, checkout: Checkout): Promise<void> {
  const live = new LiveSite();
  fetched.push(await measureByHand(site, live));
  if (ways.includes('none')) unfetched.push(await measureUnfetched(site, checkout));
  for (const budget of ways.includes('fetch') ? budgets : []) {
    for (const seed of seeds) {
      fetched.push(await measureRun(site, checkout, live, { way: 'fetch', budget, seed }));
      keep();
    }
  }
  if (ways.includes('pages')) {
    if (site.pages === null) console.error(`${site.name}: no archive, sites/pages.sh makes it`);
    else
      for (const seed of seeds)
        fetched.push(await measureRun(site, checkout, live, { way: 'pages', budget: null, seed }));
  }
  keep();
}

async function measureByHand(site: MeasuredSite, live: LiveSite): Promise<Figures> {
  const forms = new Map(Array.from(site.truth.keys(), (url) => [url, site.byHand(url)]));
  const dead = await live.deadForms(site.truth.keys(), forms);
  return {
    site: site.name,
    way: 'by hand',
    budget: null,
    seed: 0,
    forms: measureForms(site.truth, forms),
    dead: dead.urls,
    redirecting: dead.redirecting,
    deadShare: dead.share,
    unsettled: 0,
    rules: site.rulesByHand,
    insertions: 0,
    requests: 0,
    seconds: 0,
  };
}

async function measureRun(
  site: MeasuredSite,
  checkout: Checkout,
  live: LiveSite,
  how: { readonly way: Way; readonly budget: number | null; readonly seed: number },
): Promise<Figures> {
  const mined = await checkout.mine(site, how);
  const { forms, unsettled } = (await checkout.canonize(site, mined.path, 'valid'))!;
  const dead = await live.deadForms(site.truth.keys(), forms);
  const figures: Figures = {
    site: site.name,
    ...how,
    forms: measureForms(site.truth, forms),
    dead: dead.urls,
    redirecting: dead.redirecting,
    deadShare: dead.share,
    unsettled,
    rules: mined.file.rules.filter(({ status }) => status === 'valid').length,
    insertions: await insertionsUnasked(mined.file, site.truth, checkout.canonizerOf),
    requests: mined.requests ?? 0,
    seconds: mined.seconds,
  };
  console.error(
    `${nameOf(figures)}, seed ${how.seed}: coverage ${asShare(figures.forms.coverage)} in ${mined.seconds.toFixed(0)} s`,
  );
  return figures;
}

async function measureUnfetched(site: MeasuredSite, checkout: Checkout): Promise<Unfetched> {
  const { file, path, seconds } = await checkout.mine(site, { way: 'none', budget: null, seed: 1 });
  const { truth } = site;
  const { canonizerOf } = checkout;
  const judged = await judgeByAsking(judgeRules(file, truth, canonizerOf), { file, truth, canonizerOf, most: 50 });
  const measured = async (accept: 'likely' | 'confident'): Promise<FormMeasures | null> => {
    const canonized = await checkout.canonize(site, path, accept);
    return canonized === null ? null : measureForms(site.truth, canonized.forms);
  };
  return {
    site: site.name,
    rules: file.rules.length,
    precisions: [10, 50].map((at) => precisionAt(judged, at)),
    calibration: calibrationOf(judged),
    likely: await measured('likely'),
    confident: await measured('confident'),
    seconds,
  };
}

/** After each run, as a whole round takes hours. */
function keep(): void {
  if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify({ fetched, unfetched }, null, 1)}\n`);
}

function nameOf({ site, way, budget }: Figures): string {
  if (way === 'by hand') return `${site}, by hand`;
  if (way === 'pages') return `${site}, archive`;
  return budget === null ? site : `${site}, ${asCount(budget)} requests`;
}

function fetchedTable(): string {
  const groups = new Map<string, Figures[]>();
  for (const one of fetched) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  const rows = Array.from(groups, ([name, runs]) => {
    const cell = (figure: (one: Figures) => number, digitsOf: (value: number) => string): string =>
      told(spreadOf(runs.map(figure)), digitsOf);
    return [
      name,
      cell((one) => one.forms.coverage, asShare),
      cell((one) => one.forms.paperCoverage, asShare),
      cell((one) => one.forms.falseShare, asPercent),
      cell((one) => one.forms.falseMerges, asCount),
      cell((one) => one.deadShare, asPercent),
      cell((one) => one.redirecting, asCount),
      cell((one) => one.forms.longerShare, asPercent),
      cell((one) => one.unsettled, asCount),
      cell((one) => one.rules, asCount),
      cell((one) => one.insertions, asCount),
      cell((one) => one.requests, asCount),
      cell((one) => one.seconds, asCount),
    ];
  });
  const head = [
    'site',
    'coverage',
    "paper's",
    'false merges',
    'of URLs',
    'dead forms',
    'redirecting',
    'longer',
    'unsettled',
  ];
  return markdownOf([...head, 'rules', 'insertions unasked', 'requests', 'seconds'], rows);
}

function unfetchedTables(): string {
  const part = (measures: FormMeasures | null): string[] =>
    measures === null
      ? ['–', '–']
      : [asShare(measures.coverage), `${asPercent(measures.falseShare)} (${asCount(measures.falseMerges)})`];
  const rows = unfetched.map(({ site, rules, precisions, likely, confident, seconds }) => [
    site,
    asCount(rules),
    ...precisions.map(({ share, judged }) => `${asShare(share)} (${judged} judged)`),
    ...part(confident),
    ...part(likely),
    seconds.toFixed(1),
  ]);
  const head = [
    'without fetching',
    'rules',
    'precision@10',
    '@50',
    'confident: coverage',
    'false merges',
    'likely: coverage',
    'false merges',
    'seconds',
  ];
  const tenths = Array.from({ length: 10 }, (_, k) => k / 10);
  const calibration = [...unfetched, ofAll(unfetched)].map(({ site, calibration }) => [
    site,
    ...tenths.map((from) => {
      const tenth = calibration.find((one) => one.from === from);
      return tenth === undefined ? '–' : `${asShare(tenth.areTrue / tenth.judged)} of ${tenth.judged}`;
    }),
  ]);
  if (unfetched.length === 0) return '';
  const calibrated = markdownOf(
    ['true, by confidence', ...tenths.map((from) => `${from.toFixed(1)}–${(from + 0.1).toFixed(1)}`)],
    calibration,
  );
  return `${markdownOf(head, rows)}\n${calibrated}`;
}

/** The rules of all sites together: one site may have few of a tenth. */
function ofAll(sites: readonly Unfetched[]): { readonly site: string; readonly calibration: readonly Tenth[] } {
  const all = sites.flatMap(({ calibration }) => calibration);
  const froms = [...new Set(all.map(({ from }) => from))];
  const calibration = froms.map((from) => {
    const tenths = all.filter((one) => one.from === from);
    const sum = (figure: (one: Tenth) => number): number => tenths.reduce((total, one) => total + figure(one), 0);
    const judged = sum((one) => one.judged);
    const meanConfidence = sum((one) => one.meanConfidence * one.judged) / judged;
    return { from, judged, areTrue: sum((one) => one.areTrue), meanConfidence };
  });
  return { site: 'all', calibration };
}

function countIn(text: string, flag: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${flag}: got ${text}, expected whole numbers from 1 on, with commas`);
  return count;
}

function oneOf<T extends string>(known: readonly T[], text: string, flag: string): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new Error(`${flag}: got ${text}, expected some of ${known.join(', ')}, with commas`);
  return found;
}
