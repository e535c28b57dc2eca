// A million URLs through 50 rules of one site, and through 5,000 of 500 sites: beside sed and perl with the same rules, and
// beside normalize-url, which has its own.
import { writeFileSync } from 'node:fs';
import { digestOf, dustbuster, expectSame, inside, script, type Bench, type Case, type Way } from '../bench.js';
import { inPerl, inSed, plainRules, rulesFile, rulesOf, type SpokenRule } from '../input/rules.js';
import { manySites } from '../input/shapes.js';
import { siteUrls } from '../input/site.js';
import { outputOf } from '../measure.js';
import { atLeast, atMost, type Row } from '../report.js';
import { isInstalled } from '../ways/optional.js';

const DOMAIN = 'example.com';
const SITES = 500;

interface Job {
  readonly rules: string;
  readonly list: string;
}

export const canonize: Case = {
  name: 'canonize',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const head = await outputOf(`printf '' | ${dustbuster('mine', '-', '-q', '-o', '-').join(' ')}`);
    const ways = await oneThreadAndMore(bench);
    const one = await oneSite(bench, count, head, ways);
    const many = await manyRules(bench, count, head, ways);
    await bench.compare({
      work: `canonize, ${count} URLs: 50 rules of 1 site, 5,000 of ${SITES}`,
      count,
      unit: 'URLs',
      ways: [
        { who: '50 rules', run: ways[0]!.run(one) },
        {
          who: '5,000 rules',
          run: ways[0]!.run(many),
          bars: (row) => [atMost('time over that of 50', row.ratio, 1.5)],
        },
      ],
    });
  },
};

interface Threads {
  readonly who: string;
  readonly run: (job: Job) => readonly string[];
}

/** A version without `--threads` has one. */
async function oneThreadAndMore({ threads }: Bench): Promise<Threads[]> {
  const takesThreads = (await outputOf(dustbuster('canonize', '--help'))).includes('--threads');
  const run = (flags: readonly string[]) => (job: Job) =>
    dustbuster('canonize', '-r', job.rules, '-i', job.list, ...flags);
  if (!takesThreads) return [{ who: 'dustbuster', run: run([]) }];
  return [1, threads].map((n) => ({ who: `dustbuster, ${n} threads`, run: run(['--threads', String(n)]) }));
}

async function oneSite(bench: Bench, count: number, head: string, threads: readonly Threads[]): Promise<Job> {
  const list = await bench.inputs.file('site.txt', count, function* () {
    for (const { host, path } of siteUrls(count)) yield `http://${host}${path}\n`;
  });
  const rules = rulesOf(DOMAIN, 50);
  const job = { list, rules: write(bench, 'rules-50.json', rulesFile(head, new Map([[DOMAIN, rules]]))) };
  const sed = ['sed', '-E', '-f', write(bench, 'rules.sed', rules.map(inSed).join('\n')), list];
  const perl = [
    'perl',
    '-n',
    write(bench, 'rules.pl', `chomp;\n${rules.map(inPerl).join('\n')}\nprint "$_\\n";`),
    list,
  ];
  const single = threads[0]!.run(job);
  for (const theirs of [sed, perl, ...threads.slice(1).map(({ run }) => run(job))]) {
    expectSame(`forms by ${theirs[0]}`, await digestOf(single.join(' ')), await digestOf(theirs.join(' ')));
  }
  await bench.compare({
    work: `canonize, ${count} URLs, 50 rules`,
    count,
    unit: 'URLs',
    ways: [
      {
        who: threads[0]!.who,
        run: single,
        bars: ({ mebibytes }) => [atMost('resident, MB', (mebibytes * 2 ** 20) / 1e6, 150)],
      },
      ...threads.slice(1).map(({ who, run }) => ({ who, run: run(job) })),
      {
        who: 'dustbuster, lines in memory, 1 thread',
        run: inside('canonize', job.rules, list),
        bars: (row) => [atLeast('URLs/s', row.rate, 1e6)],
      },
      { who: 'sed -E, the same rules', run: sed, bars: (row) => [atLeast('its time over ours', row.ratio, 5)] },
      { who: 'perl, the same rules', run: perl },
      ...(await normalizeUrl(bench, list, head, threads[0]!)),
    ],
  });
  return job;
}

/** Its answer is compared with that of the four rules that it can say; its time with that of all 50. */
async function normalizeUrl(bench: Bench, list: string, head: string, threads: Threads): Promise<Way[]> {
  if (!isInstalled('normalize-url')) {
    bench.say('normalize-url is left out: it is not installed\n');
    return [];
  }
  const rules = write(bench, 'rules-plain.json', rulesFile(head, new Map([[DOMAIN, plainRules(DOMAIN)]])));
  const theirs = script('ways/normalize-url', list);
  const ours = threads.run({ rules, list });
  expectSame('forms by normalize-url', await digestOf(ours.join(' ')), await digestOf(theirs.join(' ')));
  const bars = (row: Row) => [atLeast('its time over ours', row.ratio, 10)];
  return [{ who: 'normalize-url, 4 of the rules', run: theirs, runs: 1, bars }];
}

async function manyRules(bench: Bench, count: number, head: string, threads: readonly Threads[]): Promise<Job> {
  const list = await bench.inputs.file('many-sites.txt', count, function* () {
    for (const { host, path } of manySites(SITES, count / SITES)) yield `http://${host}${path}\n`;
  });
  const sites = new Map<string, SpokenRule[]>();
  for (let site = 0; site < SITES; site++) sites.set(`site${site}.test`, rulesOf(`site${site}.test`, 10));
  const job = { list, rules: write(bench, 'rules-5000.json', rulesFile(head, sites)) };
  const perl = ['perl', '-n', write(bench, 'rules-5000.pl', perlOfSites(sites)), list];
  expectSame('forms of many sites', await digestOf(threads[0]!.run(job).join(' ')), await digestOf(perl.join(' ')));
  await bench.compare({
    work: `canonize, ${count} URLs, 5,000 rules of ${SITES} sites`,
    count,
    unit: 'URLs',
    ways: [
      ...threads.map(({ who, run }) => ({ who, run: run(job) })),
      { who: 'dustbuster, lines in memory, 1 thread', run: inside('canonize', job.rules, list) },
      { who: 'perl, a sub for each site', run: perl },
    ],
  });
  return job;
}

function perlOfSites(sites: ReadonlyMap<string, readonly SpokenRule[]>): string {
  const subs = Array.from(sites, ([site, rules]) => `'${site}' => sub { ${rules.map(inPerl).join(' ')} },`);
  return `BEGIN { %rules = (\n${subs.join('\n')}\n); }\nchomp; m#^http://(?:www\\.)?([^/]+)# && $rules{$1}->(); print "$_\\n";`;
}

function write(bench: Bench, name: string, text: string): string {
  const path = bench.scratch(name);
  writeFileSync(path, text);
  return path;
}
