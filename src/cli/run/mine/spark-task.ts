// A process in a Spark executor: reads inputs into a table of URLs, mines a share of the sites of all tables, learns from
// the hosts of all shares, or decides on those of one share by what was learned. With `--by-sketch` rules are made of that,
// for which pairs of URLs are drawn. It gets its task on standard input and
// answers on standard output, in frames (spark-job).
import { parseMemory } from '../../../base/amounts.js';
import { byText, decodeText, encodeText } from '../../../base/bytes.js';
import { realEffects } from '../../../base/effects.js';
import { readU32 } from '../../../base/row.js';
import { fileInput } from '../../../log/inputs.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport } from '../../../log/read.js';
import { Decisions } from '../../../mine/hosts/decide.js';
import { learnedOfText, learnFrom, textOfLearned } from '../../../mine/hosts/learn.js';
import { pooledBy } from '../../../mine/hosts/pool.js';
import { HostSample } from '../../../mine/hosts/sample.js';
import { Miner } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { countsOf } from '../../../mine/sites-task.js';
import { rowsOfSites } from '../../../state/rows.js';
import { blocksOf, SitesOfLots, type TableBlock } from '../../../state/shuffled.js';
import type { SiteUrls } from '../../../table/site-urls.js';
import { UrlListBuilder } from '../../../table/url-list.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { filterOptions } from '../input/filters.js';
import { receive, receiveJob, send, useOfProcess } from '../spark/job.js';
import { hostPlanner } from '../validate/hosts.js';
import { readOptions } from './read.js';
import { ShareJudge } from './spark-judge.js';
import {
  type DecideJob,
  type DecideReport,
  type DrawJob,
  type DrawReport,
  END,
  type FoldJob,
  type FoldReport,
  type JobSettings,
  type LearnJob,
  type LearnReport,
  type MergeJob,
  type PoolJob,
  type PoolReport,
  REPORT,
  type ShareJob,
  type ShareResult,
} from './spark-job.js';

async function fold({ flags, options, now, inputs, lots }: FoldJob): Promise<void> {
  // Not a spread, which would open standard output; writes to it would then not wait for the reader.
  const effects = Object.assign(realEffects(), { now: () => new Date(now) });
  const limits = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: effects.tmpdir };
  const reading = { ...readOptions(flags, options), ...filterOptions(flags, effects) };
  const list = new UrlListBuilder(createSiteOf(options.site), limits, { runs: 0, bytes: 0 });
  const report = createReadReport();
  const files = inputs.map(({ name, path, range }) => ({ ...fileInput(name, path), ...(range && { range }) }));
  for await (const batch of readRecordsParallel(files, reading, report, 1)) list.add(batch);
  let number = 0;
  for (const { lot, bytes } of blocksOf(rowsOfSites(list.finish()), lots)) sendBlock(lot, number++, bytes);
  sendReport({ inputs: report.inputs, forms: report.forms, ...useOfProcess() } satisfies FoldReport);
}

function sendReport(report: object): void {
  sendBlock(REPORT, 0, encodeText(JSON.stringify(report)));
}

function sendBlock(lot: number, number: number, bytes: Uint8Array): void {
  const head = Buffer.alloc(12);
  head.writeInt32LE(lot, 0);
  head.writeUInt32LE(number, 4);
  head.writeUInt32LE(bytes.length, 8);
  send(head);
  send(bytes);
}

async function mine({ flags, options }: ShareJob): Promise<void> {
  const { tmpdir } = realEffects();
  const limits = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir };
  const miner = new Miner({ ...options, untested: false }, createSiteOf(options.site), limits);
  const { summary } = miner;
  const lots = { ...limits, stats: summary.spilled };
  miner.takeSites((onSample) => new SitesOfLots(receiveBlock, { ...lots, onSample }), { once: true });
  const judge = flags.bySketch === true ? new ShareJudge(miner, flags, options) : undefined;
  const rules = [...miner.eachRule(undefined, MOST_RULES)];
  const judged = await judge?.judge(rules);
  const hosts = miner.hostSample?.hosts() ?? [];
  const result: ShareResult = {
    urls: summary.urls,
    sites: summary.sites,
    sampled: summary.sampled,
    counts: countsOf(summary),
    largestSites: summary.largestSites.list(),
    rules,
    hosts: hosts.length,
    ...(judged !== undefined && { judged }),
    ...useOfProcess(),
  };
  sendHosts(hosts);
  sendReport(result);
}

/** Sends the rows of the hosts, all in one lot. */
function sendHosts(hosts: readonly SiteUrls[]): void {
  const sites = [...hosts].sort((a, b) => byText(a.site, b.site)).values();
  const reader = { next: () => sites.next().value, close: () => {} };
  let number = 0;
  for (const { lot, bytes } of blocksOf(rowsOfSites(reader), 1)) sendBlock(lot, number++, bytes);
}

function merge(settings: MergeJob): void {
  sendHosts(sampleReceived(settings).hosts());
  sendReport(useOfProcess());
}

function learn(settings: LearnJob): void {
  const learned = learnFrom(sampleReceived(settings).finish());
  sendReport({
    ...(learned !== undefined && { learned: textOfLearned(learned) }),
    ...useOfProcess(),
  } satisfies LearnReport);
}

function decide(job: DecideJob): void {
  const decisions = new Decisions(learnedOfText(job.learned));
  for (const urls of sitesReceived(job)) decisions.decide(urls);
  sendReport({ ...decisions.part(), ...useOfProcess() } satisfies DecideReport);
}

function pool({ learned: text }: PoolJob): void {
  const learned = learnedOfText(text);
  const decisions = new Decisions(learned);
  for (let block = receiveBlock(); block !== undefined; block = receiveBlock())
    decisions.add(JSON.parse(decodeText(block.bytes)) as DecideReport);
  const { rules } = pooledBy(learned, decisions, { isPart: false });
  sendReport({ rules, ...useOfProcess() } satisfies PoolReport);
}

function draw(job: DrawJob): void {
  const planner = hostPlanner(job.rules, { withSketches: true });
  const drawn = Array.from(sitesReceived(job), (urls) => planner.drawnOf(urls));
  sendReport({ drawn: drawn.filter(({ pairs }) => pairs.length > 0), ...useOfProcess() } satisfies DrawReport);
}

function sampleReceived(settings: JobSettings): HostSample {
  const sample = new HostSample();
  for (const urls of sitesReceived(settings)) sample.add(urls);
  return sample;
}

function* sitesReceived({ flags }: JobSettings): Generator<SiteUrls> {
  const limits = { memoryBytes: parseMemory(flags.memory, '--memory'), tmpdir: realEffects().tmpdir };
  const sites = new SitesOfLots(receiveBlock, { ...limits, stats: { runs: 0, bytes: 0 }, onSample: () => {} });
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) yield urls;
  sites.close();
}

function receiveBlock(): TableBlock | undefined {
  const head = receive(12);
  const lot = readU32(head, 0);
  return lot === END ? undefined : { lot, table: readU32(head, 4), bytes: receive(readU32(head, 8)) };
}

const job = receiveJob() as FoldJob | ShareJob | MergeJob | LearnJob | DecideJob | PoolJob | DrawJob;
switch (job.task) {
  case 'fold':
    await fold(job);
    break;
  case 'mine':
    await mine(job);
    break;
  case 'merge':
    merge(job);
    break;
  case 'learn':
    learn(job);
    break;
  case 'decide':
    decide(job);
    break;
  case 'pool':
    pool(job);
    break;
  case 'draw':
    draw(job);
    break;
  default:
    job satisfies never;
}
