// A million URLs through 50 rules of one site, and through 5,000 of 500 sites: beside sed and perl with the same rules,
// and beside normalize-url, which has its own.
import { writeFileSync } from 'node:fs';
import {
  digestOf,
  dustbuster,
  inside,
  sameAnswer,
  script,
  threadsInWords,
  type Bench,
  type Case,
  type Way,
} from '../bench.js';
import { inPerl, inSed, plainRules, rulesFile, rulesOf, type SpokenRule } from '../input/rules.js';
import { manySites } from '../input/shapes.js';
import { siteUrls } from '../input/site.js';
import { outputOf, runOnce } from '../measure.js';
import { atLeast, atMost } from '../report.js';

const DOMAIN = 'example.com';
const SITES = 500;

interface Job {
  readonly rules: string;
  readonly list: string;
}

/** A version without `--threads` has one. */
interface Threads {
  readonly who: string;
  readonly flags: readonly string[];
}

export const canonize: Case = {
  name: 'canonize',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const head = await outputOf(`printf '' | ${dustbuster('mine', '-', '-q', '-o', '-').join(' ')}`);
    const threads = await oneThreadAndMore(bench);
    const one = await oneSite(bench, count, head);
    await besideOthers(bench, count, head, one, threads);
    const many = await manyRules(bench, count, head);
    await manySitesBesidePerl(bench, count, many, threads);
    await bench.compare({
      work: `canonize, ${count} URLs: 50 rules of 1 site, 5,000 of ${SITES}`,
      count,
      unit: 'URLs',
      ways: [
        { who: '50 rules', run: command(one, threads[0]!) },
        {
          who: '5,000 rules',
          run: command(many, threads[0]!),
          bars: (row) => [atMost('time over that of 50', row.ratio, 1.5)],
        },
      ],
    });
  },
};

const argumentsOf = ({ rules, list }: Job): readonly string[] => ['canonize', '-r', rules, '-i', list];
const command = (job: Job, { flags }: Threads) => dustbuster(...argumentsOf(job), ...flags);

async function oneThreadAndMore({ threads }: Bench): Promise<Threads[]> {
  const takesThreads = (await outputOf(dustbuster('canonize', '--help'))).includes('--threads');
  if (!takesThreads) return [{ who: 'dustbuster', flags: [] }];
  return [1, threads].map((n) => ({ who: `dustbuster, ${threadsInWords(n)}`, flags: ['--threads', String(n)] }));
}

/** The same in a process that has done it before: what a line costs, without the start. */
function warm(bench: Bench, job: Job, { flags }: Threads): Way['run'] {
  return inside('command', ...argumentsOf(job), ...flags, '-o', bench.scratch('forms-warm'));
}

async function oneSite(bench: Bench, count: number, head: string): Promise<Job & { readonly spoken: SpokenRule[] }> {
  const list = await bench.inputs.file('site.txt', count, function* () {
    for (const { host, path } of siteUrls(count)) yield `http://${host}${path}\n`;
  });
  const spoken = rulesOf(DOMAIN, 50);
  return { list, spoken, rules: write(bench, 'rules-50.json', rulesFile(head, new Map([[DOMAIN, spoken]]))) };
}

async function besideOthers(
  bench: Bench,
  count: number,
  head: string,
  job: Awaited<ReturnType<typeof oneSite>>,
  threads: readonly Threads[],
): Promise<void> {
  const same = sameAnswer('forms by 50 rules');
  const check: Way['check'] = async (_, stdout) => same(await digestOf(stdout));
  const sed = write(bench, 'rules.sed', job.spoken.map(inSed).join('\n'));
  const perl = write(bench, 'rules.pl', `chomp;\n${job.spoken.map(inPerl).join('\n')}\nprint "$_\\n";`);
  await bench.compare({
    work: `canonize, ${count} URLs, 50 rules`,
    count,
    unit: 'URLs',
    ways: [
      ...threads.map((one, at): Way => ({
        who: one.who,
        run: command(job, one),
        check,
        ...(at === 0 && { bars: ({ mebibytes }) => [atMost('resident, MB', (mebibytes * 2 ** 20) / 1e6, 150)] }),
      })),
      {
        who: `${threads[0]!.who}, warm`,
        run: warm(bench, job, threads[0]!),
        check: async () => same(await digestOf(bench.scratch('forms-warm'))),
        bars: (row) => [atLeast('URLs/s', row.rate, 1e6)],
      },
      {
        who: 'sed -E, the same rules',
        run: ['sed', '-E', '-f', sed, job.list],
        needs: 'sed',
        check,
        bars: (row) => [atLeast('its time over ours', row.ratio, 5)],
      },
      { who: 'perl, the same rules', run: ['perl', '-n', perl, job.list], needs: 'perl', check },
      {
        who: 'normalize-url, 4 of the rules',
        run: script('ways/normalize-url', job.list),
        runs: 1,
        check: (_, stdout) => expectPlainForms(bench, head, job.list, stdout),
        bars: (row) => [atLeast('its time over ours', row.ratio, 10)],
      },
    ],
  });
}

/** The answer of normalize-url is that of the four rules that it can say; its time is compared with that of all 50. */
async function expectPlainForms(bench: Bench, head: string, list: string, theirs: string): Promise<void> {
  const rules = write(bench, 'rules-plain.json', rulesFile(head, new Map([[DOMAIN, plainRules(DOMAIN)]])));
  const ours = bench.scratch('forms-plain');
  await runOnce(dustbuster(...argumentsOf({ rules, list })), ours);
  const same = sameAnswer('forms by normalize-url');
  for (const forms of [ours, theirs]) same(await digestOf(forms));
}

async function manyRules(bench: Bench, count: number, head: string): Promise<Job & { readonly perl: string }> {
  const list = await bench.inputs.file(`sites-${SITES}.txt`, count, function* () {
    for (const { host, path } of manySites(SITES, count / SITES)) yield `http://${host}${path}\n`;
  });
  const sites = new Map<string, SpokenRule[]>();
  for (let site = 0; site < SITES; site++) sites.set(`site${site}.test`, rulesOf(`site${site}.test`, 10));
  const perl = write(bench, 'rules-5000.pl', perlOfSites(sites));
  return { list, perl, rules: write(bench, 'rules-5000.json', rulesFile(head, sites)) };
}

async function manySitesBesidePerl(
  bench: Bench,
  count: number,
  job: Awaited<ReturnType<typeof manyRules>>,
  threads: readonly Threads[],
): Promise<void> {
  const same = sameAnswer('forms by 5,000 rules');
  const check: Way['check'] = async (_, stdout) => same(await digestOf(stdout));
  await bench.compare({
    work: `canonize, ${count} URLs, 5,000 rules of ${SITES} sites`,
    count,
    unit: 'URLs',
    ways: [
      ...threads.map((one): Way => ({ who: one.who, run: command(job, one), check })),
      { who: `${threads[0]!.who}, warm`, run: warm(bench, job, threads[0]!) },
      { who: 'perl, a sub for each site', run: ['perl', '-n', job.perl, job.list], needs: 'perl', check },
    ],
  });
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
