// A process in a Spark executor: reads inputs into a table of URLs, or mines a share of the sites of all tables. It
// gets its task on standard input and answers on standard output, in frames (spark-job).
import { parseMemory } from '../../../base/amounts.js';
import { encodeText } from '../../../base/bytes.js';
import { realEffects } from '../../../base/effects.js';
import { readU32 } from '../../../base/row.js';
import { fileInput } from '../../../log/inputs.js';
import { readRecordsParallel } from '../../../log/parallel.js';
import { createReadReport } from '../../../log/read.js';
import { Miner } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { countsOf } from '../../../mine/sites-task.js';
import { rowsOfSites } from '../../../state/rows.js';
import { blocksOf, SitesOfLots, type TableBlock } from '../../../state/shuffled.js';
import { UrlListBuilder } from '../../../table/url-list.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { filterOptions } from '../input/filters.js';
import { receive, receiveJob, send, useOfProcess } from '../spark/job.js';
import { readOptions } from './read.js';
import { ShareJudge } from './spark-judge.js';
import { END, type FoldJob, type FoldReport, REPORT, type ShareJob, type ShareResult } from './spark-job.js';

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
  const said: FoldReport = { inputs: report.inputs, forms: report.forms, ...useOfProcess() };
  sendBlock(REPORT, number, encodeText(JSON.stringify(said)));
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
  const result: ShareResult = {
    urls: summary.urls,
    sites: summary.sites,
    sampled: summary.sampled,
    counts: countsOf(summary),
    largestSites: summary.largestSites.list(),
    rules,
    ...(judged !== undefined && { judged }),
    ...useOfProcess(),
  };
  send(encodeText(JSON.stringify(result)));
}

function receiveBlock(): TableBlock | undefined {
  const head = receive(12);
  const lot = readU32(head, 0);
  return lot === END ? undefined : { lot, table: readU32(head, 4), bytes: receive(readU32(head, 8)) };
}

const job = receiveJob() as FoldJob | ShareJob;
if (job.task === 'fold') await fold(job);
else await mine(job);
