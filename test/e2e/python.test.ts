// The examples for Python of `help crawlers`, as they stand there, in the real packages: pandas, PySpark, Scrapy, and
// datatrove where it is installed (its dependencies are too large for CI).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { python as module } from '../../src/export/python/modules.js';
import { requestOf } from '../export/arbitrary.js';
import { shownCode } from '../cli/help/sandbox.js';
import { runProcess, scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { environmentPython, QUICK_SESSION, sparkEnv } from './spark-cluster.js';

const has = (name: string) =>
  existsSync(environmentPython) && spawnSync(environmentPython, ['-c', `import ${name}`]).status === 0;
const missing = ['pandas', 'scrapy', 'pyspark'].filter((name) => !has(name));
if (process.env['DUSTBUSTER_E2E'] === '1' && missing.length > 0) {
  throw new Error(`DUSTBUSTER_E2E=1 asks for ${missing.join(', ')} in the virtual environment, DUSTBUSTER_SPARK`);
}

const shown = shownCode();
const example = (kind: string) => shown.find((one) => one.kind === `python ${kind}`)!.code;

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const rules = [sampleParameter('sid', { site: '*' }), sampleRule('/index.html', '/', { rank: 2, anchor: 'end' })];
const LISTED = ['http://a.test/?sid=1', 'http://a.test/index.html', '', 'http://a.test/b', 'http://a.test/b?sid=2'];
const FORMS = ['http://a.test/', 'http://a.test/', '', 'http://a.test/b', 'http://a.test/b'];

/** Runs code in a folder with the module and a table of URLs; returns what it prints as JSON at its end. */
function run(code: string): unknown {
  const cwd = mkdtempSync(join(scratch.path, 'run-'));
  writeFileSync(join(cwd, 'canonical_urls.py'), module.write(requestOf(rules)).text);
  writeFileSync(join(cwd, 'urls.csv'), `number,url\n${LISTED.map((url, at) => `${at},${url}\n`).join('')}`);
  writeFileSync(join(cwd, 'example.py'), code);
  const env = { ...process.env, ...sparkEnv, PYSPARK_SUBMIT_ARGS: `--master local[1] ${QUICK_SESSION} pyspark-shell` };
  const { stdout, stderr, status } = spawnSync(environmentPython, ['example.py'], { cwd, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

describe('an example of help crawlers', { timeout: 300_000 }, () => {
  it.skipIf(missing.includes('pandas'))('adds the form to a table in pandas, where cells are missing too', () => {
    const code = `${example('pandas')}
import json
print(json.dumps([frame["page"].fillna("").tolist(), pages["number"].tolist()]))`;
    expect(run(code)).toEqual([FORMS, [0, 2, 3]]);
  });

  it.skipIf(missing.includes('pyspark'))('is a function of SQL in PySpark, where cells are null too', () => {
    const code = `${example('pyspark')}
import json
found = {(row["page"] or "") for row in pages.collect()}
print(json.dumps([sorted(found), pages.count()]))`;
    expect(run(code)).toEqual([['', 'http://a.test/', 'http://a.test/b'], 3]);
  });

  it.skipIf(!has('datatrove.pipeline.dedup'))('says in datatrove which documents are one page', () => {
    const code = `${example('datatrove')}
import json
from datatrove.data import Document
listed = [url for url in ${JSON.stringify(LISTED)} if url]
documents = [Document(text=url, id=url, metadata={"url": url}) for url in listed]
signature.run(documents)
duplicates.run()
print(json.dumps([document.id for document in unique.run(documents)]))`;
    expect(run(code)).toEqual([LISTED[0], LISTED[3]]);
  });
});

describe.skipIf(missing.includes('scrapy'))('Scrapy', { timeout: 300_000 }, () => {
  let server: Server;
  let base: string;
  let requests: string[] = [];

  /** Ten pages, each under two addresses. */
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url!);
      const links = Array.from({ length: 10 }, (_, at) => `<a href="/p${at}">p</a><a href="/p${at}?sid=${at}">q</a>`);
      const [path] = request.url!.split('?');
      response.setHeader('content-type', 'text/html');
      response.end(`<h1>${path}</h1>${links.join('')}`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  /** Crawls with the item that the page yields, and settings. */
  async function crawl(folder: string, settings: readonly string[]): Promise<number> {
    requests = [];
    const item = /^yield \{[^]*?\}$/m.exec(shown.find((one) => one.code.startsWith('yield {'))!.code)![0];
    const spider = `import hashlib
import scrapy
class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ["${base}/"]
    def parse(self, response):
        ${item.replaceAll('\n', '\n        ')}
        yield from response.follow_all(css="a")
`;
    writeFileSync(join(folder, 'spider.py'), spider);
    const args = ['-m', 'scrapy', 'runspider', 'spider.py', '-O', 'pages.jsonl', '-L', 'ERROR', ...settings];
    const child = spawn(environmentPython, args, { cwd: folder, env: { ...process.env, PYTHONPATH: folder } });
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    expect(await new Promise((done) => child.on('close', done)), said).toBe(0);
    return requests.filter((path) => path !== '/robots.txt').length;
  }

  it('crawls every page once by its own rules, as the page says', async () => {
    const folder = mkdtempSync(join(scratch.path, 'scrapy-'));
    expect(await crawl(folder, [])).toBe(21);
    const mined = await runProcess(['mine', '--by-sketch', '-q', '-o', 'rules.json', 'pages.jsonl'], { cwd: folder });
    expect(mined.code, mined.stderr).toBe(0);
    const exported = await runProcess(['export', 'rules.json', '--to', 'scrapy', '-o', 'canonical_urls.py'], {
      cwd: folder,
    });
    expect(exported.code, exported.stderr).toBe(0);
    const [, name, value] = /^\$ echo '(\w+) = "([\w.]+)"' >> /m.exec(
      shown.find((one) => one.code.includes('REQUEST_FINGERPRINTER_CLASS'))!.code,
    )!;
    expect(await crawl(folder, ['-s', `${name}=${value}`])).toBe(11);
  });
});
