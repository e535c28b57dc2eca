// The canonizer in a real browser, as a page loads it: the bundle and the rules file by HTTP from this machine, nothing
// else; and the module that `export --to esm` writes. Runs if Chromium is installed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { esm } from '../../src/export/esm.js';
import type { RulesFile } from '../../src/rule/rule.js';
import { FIXTURES, run, scratchFolder } from '../cli/process.js';
import { sampleRule } from '../rule/sample.js';
import { variedUrls } from '../varied-urls.js';

const library = new URL('../../dist/src/index.js', import.meta.url).href;
const { mine, writeRules } = (await import(library)) as typeof import('../../src/index.js');
const bundle = readFileSync(new URL('../../dist/bundle/canonizer.js', import.meta.url));

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(CHROMIUM);
if (process.env['DUSTBUSTER_E2E'] === '1' && !isInstalled) {
  throw new Error('DUSTBUSTER_E2E=1 asks for Chromium: install chromium, or say where it is with CHROMIUM');
}

describe.runIf(isInstalled)('in Chromium', { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  const files = new Map<string, readonly [type: string, body: string | Uint8Array]>();
  const asked: string[] = [];
  const complaints: string[] = [];
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let file: RulesFile;
  let urls: string[];
  let forms: string[];

  beforeAll(async () => {
    ({ file } = await mine(join(FIXTURES, 'access.log')));
    const sites = ['example.co.uk', 'amazonaws.com', 'www1355544.com'].map((site, at) =>
      sampleRule('index.html', '', { site, rank: file.rules.length + at + 1, status: 'likely' }),
    );
    const ending = sampleRule('</script>', '<!--', { rank: file.rules.length + 4, status: 'likely' });
    file = { ...file, rules: [...file.rules, ...sites, ending] };
    const hosts = [
      'www.example.co.uk',
      'example.co.uk.',
      'x.s3.amazonaws.com',
      'www1355544.com',
      '[::1]',
      'ex%61mple.co.uk',
    ];
    const more = hosts.flatMap((host) => [`http://${host}/index.html`, `HTTPS://${host}:443/a/../index.html#x`]);
    urls = [...variedUrls(file, 10_000 - more.length), ...more];
    const rules = join(folder.path, 'rules.json');
    const list = join(folder.path, 'urls.txt');
    writeFileSync(rules, writeRules(file));
    writeFileSync(list, encodeText(urls.map((url) => `${url}\n`).join('')));
    const { stdout } = await run(['canonize', '--accept', 'likely', '-r', rules, '-i', list]);
    forms = decodeText(stdout).split('\n').slice(0, -1);

    const { normalization, urlForm, options } = file;
    const how = { normalization, urlForm, sitePolicy: options.site, maxIterations: 10 };
    const module = esm.write({ rules: file.rules, ...how, source: 'rules.json', generator: 'dustbuster' }).text;
    files.set('/', ['text/html', '<!doctype html><link rel="icon" href="data:,"><title>canonizer</title>']);
    files.set('/canonizer.js', ['text/javascript', bundle]);
    files.set('/canonize.js', ['text/javascript', module]);
    files.set('/rules.json', ['application/json', writeRules(file)]);
    const script = `<script type="module">${module}\nwindow.isThere = true;</script>`;
    files.set('/inline.html', ['text/html', `<!doctype html><link rel="icon" href="data:,">${script}`]);
    server = createServer((request, response) => {
      asked.push(request.url!);
      const found = files.get(request.url!);
      response.writeHead(found === undefined ? 404 : 200, {
        'content-type': `${found?.[0] ?? 'text/plain'}; charset=utf-8`,
      });
      response.end(found?.[1]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(origin);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    folder.remove();
  });

  // Text is passed as JSON both ways, as plain text would lose lone surrogates. Scripts are text too, as vitest would
  // rewrite their imports.
  const canonizeAll = 'JSON.stringify(urls.map((url) => canonize(url)))';

  async function formsBy(script: string): Promise<unknown> {
    const json = JSON.stringify(JSON.stringify(urls));
    return JSON.parse(await page.evaluate<string>(`(async () => { const json = ${json}; ${script} })()`)) as unknown;
  }

  it('10,000 URLs have the forms of the command, by the rules file', async () => {
    const found = await formsBy(`
      const { createCanonizer, readRules } = await import('/canonizer.js');
      const rules = readRules(await (await fetch('/rules.json')).text());
      const { canonize } = createCanonizer(rules, { accept: 'likely' });
      const urls = JSON.parse(json);
      return ${canonizeAll};`);
    expect(found).toEqual(forms);
    expect(forms.filter((form, at) => form !== urls[at]).length).toBeGreaterThan(5000);
  });

  it('and by the module', async () => {
    const found = await formsBy(`
      const { canonize } = await import('/canonize.js');
      const urls = JSON.parse(json);
      return ${canonizeAll};`);
    expect(found).toEqual(forms);
  });

  it('and in a worker', async () => {
    const found = await formsBy(`
      const source = \`import canonize from '\${location.origin}/canonize.js';
        onmessage = ({ data }) => { const urls = JSON.parse(data); postMessage(${canonizeAll}); };\`;
      const script = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker(script, { type: 'module' });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(json);
      });`);
    expect(found).toEqual(forms);
  });

  it('a module may be inlined in a page', async () => {
    const other = await browser.newPage();
    other.on('pageerror', (error) => complaints.push(error.message));
    await other.goto(`${origin}/inline.html`);
    expect(await other.evaluate('window.isThere')).toBe(true);
    expect((await other.textContent('body'))?.trim() ?? '').toBe('');
  });

  it('nothing else is requested, and there are no errors', () => {
    expect([...new Set(asked)].sort()).toEqual(['/', '/canonize.js', '/canonizer.js', '/inline.html', '/rules.json']);
    expect(complaints).toEqual([]);
  });
});
