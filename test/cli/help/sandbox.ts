// A folder in which the examples of the pages run: it has everything that they name, and `dustbuster` is on the path.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack, record } from '../../log/warc/compose.js';
import { BIN, FIXTURES, run, scratchFolder, type Outcome } from '../process.js';

export interface Sandbox {
  /** Runs `script` with bash, in a copy of the folder; `/var/` is in the copy as well. */
  shell(script: string, shell?: string): Promise<Outcome & { readonly folder: string }>;
  remove(): void;
}

const DOCS = new URL('../../../src/docs/', import.meta.url).pathname;

/** As many lines of the fixture as are mined quickly, in which pages have several names. */
const LINES = 400;

export async function makeSandbox(): Promise<Sandbox> {
  const scratch = scratchFolder();
  const model = join(scratch.path, 'model');
  const bin = join(scratch.path, 'bin');
  for (const folder of [model, bin]) mkdirSync(folder);
  writeFileSync(
    join(bin, 'dustbuster'),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"\n`,
  );
  chmodSync(join(bin, 'dustbuster'), 0o755);
  writeInputs(model);
  // The pages name rules of the whole fixture.
  const fixture = join(FIXTURES, 'access.log');
  const aliases = ['--site', 'all', '-o', 'aliases.json'];
  for (const args of [['access.log'], [fixture, '-o', 'rules.json'], [fixture, ...aliases]]) {
    const mined = await run(['mine', '-q', ...args], { cwd: model });
    if (mined.code !== 0) throw new Error(mined.stderr);
  }
  cpSync(join(model, 'rules.json'), join(model, 'old.json'));
  // As after `dustbuster validate`: what one deploys are valid rules.
  for (const name of ['dustbuster-rules.json', 'rules.json']) {
    const judged = await run(['validate', '-q', name, '--by-sketch', '--stop', 'fixed', '--test', 'captures.cdx'], {
      cwd: model,
    });
    if (judged.code !== 0) throw new Error(judged.stderr);
  }
  return {
    shell(script, shell = 'bash') {
      const folder = mkdtempSync(join(scratch.path, 'run-'));
      cpSync(model, folder, { recursive: true });
      const own = script.replaceAll('/var/', `${folder}/var/`);
      return runShell(shell, own, folder, bin).then((outcome) => ({ ...outcome, folder }));
    },
    remove: () => scratch.remove(),
  };
}

function writeInputs(folder: string): void {
  const lines = readFileSync(join(FIXTURES, 'access.log'), 'latin1').split('\n').slice(0, LINES);
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const log = `${lines.join('\n')}\n`;
  for (const name of ['logs', 'var/lib/dustbuster', 'var/log/nginx'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['access.log', 'access.log.1', 'logs/access.log', 'var/log/nginx/access.log-20261120'])
    put(name, log);
  for (const name of ['access.log.2.gz', 'access.log.3.gz']) put(name, gzipSync(log));
  const urls = lines.flatMap((line) => /^([\w.]+):80 .*"GET (\S+)/.exec(line)?.slice(1).join('') ?? []);
  const list = urls.map((url) => `http://${url}\n`).join('');
  put('urls.txt', list);
  put('robots.txt', readFileSync(join(FIXTURES, 'robots.txt')));
  put('urls.txt.gz', gzipSync(list));
  put('custom.log', lines.map((line) => `${line.replace(/:80 /, ' ').replace(/ "[^"]*" "[^"]*"$/, '')}\n`).join(''));
  put('table.csv', `address,length\n${urls.map((url, at) => `http://${url},${at}\n`).join('')}`);
  put('captures.cdx', ` CDX N b a m s k r M S V g\n${urls.map(captureOf).join('')}`);
  // Few enough that what examples print fits into a pipe, whose reader may be `head`.
  const few = new Set([...new Set(urls.map(pageOf))].slice(0, 50));
  const pages = urls
    .filter((url) => few.has(pageOf(url)))
    .map((url) => record({ url: `http://${url}`, body: `<p>${pageOf(url).replace(/\W+/g, ' ').repeat(9)}</p>` }));
  put('crawl.warc.gz', pack(pages, 'by record'));
}

/** The names of one page have one. */
function pageOf(url: string): string {
  return url
    .replace(/^www\./, '')
    .replace('/docs/2.4/', '/manual/')
    .replace(/(index)?\.html$/, '');
}

/** A line of a capture index, with the digest of its page. */
function captureOf(url: string, at: number): string {
  const digest = createHash('sha1').update(pageOf(url)).digest('hex').slice(0, 32).toUpperCase();
  return `${url} 202611210350${at % 60} http://${url} text/html 200 ${digest} - - 900 ${at} crawl.warc.gz\n`;
}

function runShell(shell: string, script: string, folder: string, bin: string): Promise<Outcome> {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, XDG_CONFIG_HOME: folder };
  return new Promise((resolve, reject) => {
    const options = shell === 'bash' ? ['--norc', '-e', '-o', 'pipefail'] : shell === 'zsh' ? ['-f', '-e'] : [];
    const child = spawn(shell, [...options, '-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
  });
}

export interface ShownCode {
  readonly page: string;
  /** `sh`, `sh network`, `json rules.local.json`: the text after the fence. */
  readonly kind: string;
  readonly code: string;
}

/** All code in the pages. */
export function shownCode(): ShownCode[] {
  return readdirSync(DOCS).flatMap((page) => {
    const text = readFileSync(join(DOCS, page), 'utf8');
    return Array.from(text.matchAll(/^```(.+)\n([^]*?)^```$/gm), ([, kind, code]) => ({
      page,
      kind: kind!,
      code: code!,
    }));
  });
}
