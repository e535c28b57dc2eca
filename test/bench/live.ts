// What does validation cost, and what is it worth? A planted live site of about 10,000 URLs on loopback, mined and
// validated with and without parameter rules, by the sequential test and by the paper's; the truth of every URL is
// known.
//
//   npm run bench:live            prints a table; `-- 8` plants another site
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite, type LiveSite } from '../live-site.js';

const PAGES = 3300;
const SEED = Number(process.argv[2] ?? 7);
const BIN = new URL('../../../bin/dustbuster.js', import.meta.url).pathname;

interface Row {
  readonly way: string;
  readonly requests: number;
  readonly perRule: number;
  readonly valid: number;
  readonly invalid: number;
  readonly coverage: number;
  readonly falseMerges: number;
  readonly labelled: number;
}

const folder = mkdtempSync(join(tmpdir(), 'dustbuster-live-'));
try {
  const rows: Row[] = [];
  for (const flags of [[], ['--no-parameters'], ['--stop', 'fixed'], ['--stop', 'fixed', '--no-parameters']]) {
    // A new site for each, as it remembers which clients it has asked to retry later.
    const site = await startSite({ pages: PAGES, seed: SEED, slowMs: 1, retryAfter: 0 });
    rows.push(await measure(site, flags));
    if (rows.length === 1) console.log(`${site.urls.length} URLs, ${rows[0]!.labelled} of them of known contents`);
    await site.close();
  }
  print(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(site: LiveSite, flags: readonly string[]): Promise<Row> {
  const [log, urls, truth, rules] = ['log', 'urls', 'truth.tsv', 'rules.json'].map((name) =>
    join(folder, name),
  ) as Four;
  writeFileSync(log, `${site.logLines('vhost').join('\n')}\n`);
  writeFileSync(urls, `${site.urls.join('\n')}\n`);
  const labels = site.urls.flatMap((url) => {
    const label = site.truth(url);
    return label === undefined ? [] : [`${url}\t${label}\n`];
  });
  writeFileSync(truth, labels.join(''));
  const resolve = site.hosts.map((host) => `${host.replace(/:\d+$/, '')}=127.0.0.1`);
  const fetching = ['--rate', '10000', '--allow-private', '--fetch-cache', 'none', '--resolve', ...resolve];
  const mined = await run(['mine', log, '--fetch', '-o', rules, ...flags, ...fetching]);
  const [, valid, invalid, requests, perRule] =
    /(\d+)(?: of \d+)? valid, (\d+) invalid.*; (\d+) requests, half of the rules took at most (\d+)/.exec(
      mined.stderr,
    )!;
  const { stdout } = await run(['eval', '--rules', rules, '--urls', urls, '--truth', truth, '--json', '-q']);
  const { all } = JSON.parse(stdout) as { all: { coverage: number; falseMerges: number; labelled: number } };
  return {
    way: flags.join(' ') || 'defaults',
    requests: Number(requests),
    perRule: Number(perRule),
    valid: Number(valid),
    invalid: Number(invalid),
    ...all,
  };
}

type Four = [string, string, string, string];

function run(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [BIN, ...args]);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (code) => (code === 0 ? done({ stdout, stderr }) : failed(new Error(stderr))));
  });
}

function print(rows: readonly Row[]): void {
  const head = ['', 'requests', 'per rule', 'valid', 'invalid', 'coverage', 'false merges'];
  const cells = rows.map((row) => [
    row.way,
    String(row.requests),
    String(row.perRule),
    String(row.valid),
    String(row.invalid),
    row.coverage.toFixed(3),
    `${row.falseMerges} (${((100 * row.falseMerges) / row.labelled).toFixed(3)} %)`,
  ]);
  const widths = head.map((_, k) => Math.max(...[head, ...cells].map((line) => line[k]!.length)));
  for (const line of [head, ...cells]) {
    console.log(line.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  '));
  }
}
