// The report in a real browser: it opens, requests nothing, and reacts to its reader. Runs if Chromium is installed, at
// /usr/bin/chromium or at the path in CHROMIUM.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPage } from '../../src/report/page/render/render.js';
import type { ReportModel } from '../../src/report/page/model.js';
import { scratchFolder } from '../cli/process.js';
import { HOSTILE, plantedModel } from '../report/page/planted-model.js';
import { supportOf } from '../../src/rule/diff.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(executablePath);
if (process.env['DUSTBUSTER_E2E'] === '1' && !isInstalled) {
  throw new Error('DUSTBUSTER_E2E=1 asks for Chromium: install chromium, or name one in CHROMIUM');
}

interface Opened {
  readonly page: Page;
  readonly requests: string[];
  /** Console lines, errors and dialogs, of which there should be none. */
  readonly noises: string[];
}

describe.skipIf(!isInstalled)('in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;
  let folder: ReturnType<typeof scratchFolder>;
  const model = plantedModel({ rules: 1234, sites: 12, parameters: 30 });
  const hostile = plantedModel({ seed: 3, rules: 150, hostileEvery: 2 });
  const addressOf = (name: string) => `file://${join(folder.path, name)}`;

  beforeAll(async () => {
    folder = scratchFolder();
    writeFileSync(join(folder.path, 'usual.html'), renderPage(model));
    writeFileSync(join(folder.path, 'hostile.html'), renderPage(hostile));
    // Chromium's own sandbox needs privileges that root in a container lacks.
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    folder.remove();
  });

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const [requests, noises]: string[][] = [[], []];
    page.on('request', (request) => requests!.push(request.url()));
    page.on('console', (message) => noises!.push(message.text()));
    page.on('pageerror', (error) => noises!.push(error.message));
    page.on('dialog', (dialog) => {
      noises!.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]');
    return { page, requests: requests!, noises: noises! };
  }

  const column = (page: Page, at: number) =>
    page.locator(`#rules-table tbody tr:not(.more) > :nth-child(${at})`).allInnerTexts();
  const ranks = async (page: Page) => (await column(page, 1)).map((text) => Number(text.replace(/\D/g, '')));
  const status = (page: Page) => page.locator('#rules-table [role=status]').innerText();
  const ranksOf = (isWanted: (row: ReportModel['rules'][number]) => boolean) =>
    model.rules.filter(isWanted).map(({ rule }) => rule.rank);
  const head = (page: Page, name: string) =>
    page.locator('#rules-table').getByRole('columnheader', { name, exact: true }).getByRole('button');

  test('an option is never broken across lines, however wide the page is', async () => {
    const { page } = await open(addressOf('usual.html'));
    const flags = page.locator('code.flag');
    expect(await flags.count()).toBeGreaterThan(2);
    for (let width = 360; width <= 1240; width += 40) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await flags.evaluateAll((all) => all.map((one) => one.getClientRects().length));
      expect({ width, lines }).toEqual({ width, lines: lines.map(() => 1) });
    }
    await page.context().close();
  });

  describe('the page', () => {
    let opened: Opened;
    let page: Page;
    beforeAll(async () => {
      opened = await open(addressOf('usual.html'));
      page = opened.page;
    });
    afterAll(() => page.context().close());

    test('shows the first rules, and how many there are', async () => {
      expect(await ranks(page)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
      expect(await status(page)).toBe('1,234 rules');
    });

    test('sorts by a figure, the largest first, then the smallest, then as it was', async () => {
      const order = (sign: number) =>
        model.rules
          .toSorted((a, b) => sign * (supportOf(a.rule) - supportOf(b.rule)))
          .slice(0, 100)
          .map(({ rule }) => rule.rank);
      const heads = page.locator('#rules-table [aria-sort]');
      await head(page, 'support').click();
      expect(await ranks(page)).toEqual(order(-1));
      expect(await heads.getAttribute('aria-sort')).toBe('descending');
      await head(page, 'support').click();
      expect(await ranks(page)).toEqual(order(1));
      expect(await heads.getAttribute('aria-sort')).toBe('ascending');
      await head(page, 'support').click();
      expect((await ranks(page)).slice(0, 3)).toEqual([1, 2, 3]);
      expect(await heads.count()).toBe(0);
    });

    test('sorts by every column', async () => {
      const labels = await page.locator('#rules-table thead th').allInnerTexts();
      expect(labels.length).toBeGreaterThan(10);
      for (const label of labels) {
        await head(page, label).click();
        expect(await page.locator('#rules-table [aria-sort]').innerText()).toContain(label);
      }
      await head(page, labels.at(-1)!).click();
      await head(page, labels.at(-1)!).click();
    });

    test('filters by text, status, kind and site, and all of them together', async () => {
      const table = page.locator('#rules-table');
      const search = table.getByLabel('Find rules');
      await search.fill('MANUAL');
      const saysManual = ({ rule }: ReportModel['rules'][number]) =>
        rule.kind === 'substring' && `${rule.from} ${rule.to}`.includes('manual');
      expect(await ranks(page)).toEqual(ranksOf(saysManual).slice(0, 100));
      expect(await status(page)).toBe(`${ranksOf(saysManual).length} of 1,234 rules`);
      await table.getByLabel('status').selectOption('valid ✓');
      const isValid = ({ standing }: ReportModel['rules'][number]) => standing === 'valid';
      expect(await ranks(page)).toEqual(ranksOf((row) => saysManual(row) && isValid(row)).slice(0, 100));
      await table.getByLabel('site').fill('site-11');
      const isThere = ({ rule }: ReportModel['rules'][number]) => rule.site.includes('site-11');
      const left = ranksOf((row) => saysManual(row) && isValid(row) && isThere(row));
      expect(left.length).toBeGreaterThan(0);
      expect(await ranks(page)).toEqual(left);
      await table.getByLabel('kind').selectOption('parameter');
      expect(await ranks(page)).toEqual([]);
      expect(await status(page)).toBe('None of 1,234 rules is like that.');
      await table.getByLabel('kind').selectOption('');
      await table.getByLabel('status').selectOption('');
      await search.fill('');
      await table.getByLabel('site').fill('');
      expect(await status(page)).toBe('1,234 rules');
    });

    test('pages through the rows', async () => {
      const press = (name: string) => page.locator('#rules-table').getByRole('button', { name, exact: true }).click();
      await press('Next');
      expect((await ranks(page))[0]).toBe(101);
      await press('Last');
      expect(await ranks(page)).toEqual(Array.from({ length: 34 }, (_, at) => 1201 + at));
      expect(await page.locator('#rules-table').getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
      await press('Previous');
      expect((await ranks(page))[0]).toBe(1101);
      await press('First');
      expect((await ranks(page))[0]).toBe(1);
    });

    test('opens the evidence of a rule, also by keyboard, and keeps it open', async () => {
      const { rule } = model.rules.find(
        ({ rule: { verdict } }) => verdict !== undefined && verdict.negatives.length > 0,
      )!;
      const opener = page.getByRole('button', { name: `Evidence of rule ${rule.rank}`, exact: true });
      await opener.focus();
      await page.keyboard.press('Enter');
      expect(await opener.getAttribute('aria-expanded')).toBe('true');
      const evidence = page.locator(`#rule-${rule.rank} + .more`);
      const [url, image, why] = rule.verdict!.negatives[0]!;
      expect(await evidence.innerText()).toContain(`${url} → ${image} ${why}`);
      await head(page, 'rank').click();
      expect(await evidence.isVisible()).toBe(true);
      await opener.press(' ');
      expect(await evidence.count()).toBe(0);
    });

    test('a click on a row opens it, and its URLs lead to the pages, beside the report', async () => {
      const { rule } = model.rules.find(({ rule: { examples } }) => (examples[0]?.[0] ?? '').startsWith('http:'))!;
      await page.locator(`#rule-${rule.rank} td`).nth(2).click();
      const links = page.locator(`#rule-${rule.rank} + .more a`);
      const [url, image] = rule.examples[0]!;
      expect(await links.first().getAttribute('href')).toBe(url);
      expect(await links.nth(1).getAttribute('href')).toBe(image);
      const attributes = (name: string) => links.evaluateAll((all, one) => all.map((a) => a.getAttribute(one)), name);
      expect(new Set(await attributes('rel'))).toEqual(new Set(['noopener noreferrer']));
      expect(new Set(await attributes('target'))).toEqual(new Set(['_blank']));
      await page.locator(`#rule-${rule.rank} td`).nth(2).click();
      expect(await links.count()).toBe(0);
    });

    test('copies the lines of a fix, and saves a table as CSV', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const lines = page.locator('.lines').first();
      await lines.locator('summary').click();
      await lines.getByRole('button', { name: 'Copy' }).click();
      await lines.getByRole('button', { name: 'Copied' }).waitFor();
      const text = `${model.log!.fixes[0]!.lines[0]!.text.trimEnd()}\n`;
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
      const saved = page.waitForEvent('download');
      await page.locator('#rules-table').getByRole('button', { name: 'CSV' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('dustbuster-rules.csv');
      const csv = readFileSync(await download.path(), 'utf8').split('\r\n');
      expect(csv[0]).toMatch(/^rank,rule,status,support,/);
      expect(csv.length).toBe(1 + 1234 + 1);
      // The browser shows it as a request for data, which is none.
      opened.requests.splice(0, Infinity, ...opened.requests.filter((url) => !url.startsWith('data:text/csv')));
    });

    test('links a parameter to its rule, on whatever page and however filtered', async () => {
      await page.locator('#rules-table').getByLabel('kind').selectOption('substring');
      const link = page.locator('#parameters-table a').first();
      const rank = await link.innerText();
      await link.click();
      await page.waitForSelector(`#rule-${rank} + .more`);
      expect(await page.locator(`#rule-${rank}`).getByRole('button').getAttribute('aria-expanded')).toBe('true');
    });

    test('requests nothing but itself, and logs nothing', () => {
      expect(opened.requests).toEqual([addressOf('usual.html')]);
      expect(opened.noises).toEqual([]);
    });
  });

  test('an address with a rule opens at this rule', async () => {
    const { page } = await open(`${addressOf('usual.html')}#rule-777`);
    await page.waitForSelector('#rule-777 + .more');
    expect(await page.evaluate('document.activeElement.closest("tr").id')).toBe('rule-777');
    await page.context().close();
  });

  test('hostile text stays text, wherever it is shown', async () => {
    const { page, requests, noises } = await open(addressOf('hostile.html'));
    await page.evaluate('for (const opener of document.querySelectorAll(".opener")) opener.click()');
    expect(await page.locator('.more').count()).toBeGreaterThan(100);
    const names = '[...new Set([...document.querySelectorAll("body *")].map((node) => node.localName))].sort()';
    const tags = await page.evaluate<string[]>(names);
    expect(tags.filter((tag) => ['img', 'iframe', 'object', 'b', 'form', 'style'].includes(tag))).toEqual([]);
    expect(await page.locator('script').count()).toBe(2);
    const leads = await page.evaluate<string[]>(
      '[...document.querySelectorAll("a")].map((a) => a.getAttribute("href"))',
    );
    expect(leads.filter((href) => !/^(#[a-z]|https?:\/\/[a-z0-9.-]+[/?#])/.test(href))).toEqual([]);
    expect(await page.locator('[onload], [onerror], [onmouseover], [style]').count()).toBe(0);
    const text = await page.locator('main').innerText();
    for (const part of [
      '<script>alert("x")</script>',
      '--><img src=x onerror=alert(2)>',
      '&lt;b&gt;',
      '\\u{202e}gnp.exe',
      'bytes\\xff\\x80',
    ]) {
      expect(text).toContain(part);
    }
    await page.locator('#rules-table').getByLabel('Find rules').fill('<script>');
    expect(await status(page)).toMatch(/^\d+ of 150 rules$/);
    for (const row of await page.locator('#rules-table tbody tr:not(.more)').allInnerTexts()) {
      expect(row).toContain('<script>');
    }
    expect(HOSTILE.length).toBeGreaterThan(10);
    expect([requests, noises]).toEqual([[addressOf('hostile.html')], []]);
    await page.context().close();
  });

  test('from a server it requests nothing either', async () => {
    const asked: string[] = [];
    const text = renderPage(hostile);
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.setHeader('content-type', 'text/html; charset=utf-8').end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { page, noises } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/report.html`);
    await page.waitForLoadState('networkidle');
    expect([asked, noises]).toEqual([['/report.html'], []]);
    await page.context().close();
    server.closeAllConnections();
    server.close();
  });

  test('without scripts the first rows are shown, with a note on the others', async () => {
    const { page, noises } = await open(addressOf('usual.html'), { javaScriptEnabled: false });
    expect(await ranks(page)).toHaveLength(100);
    expect(await page.locator('noscript').innerText()).toContain('Scripts may not run here');
    expect(await page.locator('#rules-table .static').innerText()).toContain('The first 100 of 1,234 rules.');
    expect(await page.locator('.controls:visible, #scheme-field:visible').count()).toBe(0);
    expect(noises).toEqual([]);
    await page.context().close();
  });

  test('a browser that cannot unpack the tables shows the first rows, with the reason', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript('delete globalThis.DecompressionStream');
    await page.goto(addressOf('usual.html'));
    expect(await page.getByRole('alert').innerText()).toMatch(/^Only the first rows .*DecompressionStream/);
    expect(await ranks(page)).toHaveLength(100);
    await context.close();
  });

  test('colours follow the system, unless the reader chooses; print is white', async () => {
    const { page } = await open(addressOf('usual.html'), { colorScheme: 'dark' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const bar = () =>
      page.evaluate<string>('getComputedStyle([...document.querySelectorAll("#cost rect")].at(-1)).fill');
    const [dark, darkBar] = [await ground(), await bar()];
    await page.getByLabel('Colours').selectOption('light');
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expect(await bar()).not.toBe(darkBar);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Colours').selectOption('dark');
    expect(await ground()).toBe(dark);
    await page.getByLabel('Colours').selectOption('system');
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.context().close();
  });

  test.each(['usual', 'hostile'])('no line of the %s page is wider than the screen, even of a phone', async (name) => {
    const { page } = await open(addressOf(`${name}.html`));
    await page.locator('#rules-table .opener').first().click();
    for (const width of [1920, 1280, 1000, 640, 380, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width}`).toBe(width);
    }
    await page.locator('#rules-table').getByLabel('Sort by').selectOption({ label: 'confidence' });
    expect(await page.locator('#rules-table [aria-sort=descending]').count()).toBe(1);
    await page.locator('#rules-table').getByRole('button', { name: 'Reverse the order' }).click();
    expect(await page.locator('#rules-table [aria-sort=ascending]').count()).toBe(1);
    await page.context().close();
  });

  test('everything has a label and a role for screen readers', async () => {
    const { page } = await open(addressOf('usual.html'));
    const all = (expression: string) => page.evaluate<string[]>(expression);
    const outer = '.map((node) => node.outerHTML.slice(0, 200))';
    const query = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
    expect(await all(`${query('input, select')}.filter((node) => node.labels.length !== 1)${outer}`)).toEqual([]);
    expect(await all(`${query('button')}.filter((node) => !(node.textContent || node.ariaLabel))${outer}`)).toEqual([]);
    expect(await all(`${query('table')}.filter((node) => !node.caption?.textContent)${outer}`)).toEqual([]);
    expect(await all(`${query('table th')}.filter((node) => !node.scope)${outer}`)).toEqual([]);
    expect(
      await all(`${query('.table table, .table tr, .table th, .table td')}.filter((node) => !node.role)${outer}`),
    ).toEqual([]);
    expect(await all(`${query('svg')}.filter((node) => node.getAttribute('role') !== 'img')${outer}`)).toEqual([]);
    const ids = await all(`${query('[id]')}.map((node) => node.id)`);
    expect(ids.length).toBe(new Set(ids).size);
    const levels = await all(`${query('h1, h2, h3')}.map((node) => node.localName)`);
    expect([levels[0], levels.filter((level) => level === 'h1').length]).toEqual(['h1', 1]);
    for (const name of [
      'Rules, and what speaks for and against each',
      'Groups of duplicates',
      'Parameters, and what they do',
    ]) {
      expect(await page.getByRole('table', { name, exact: true }).count()).toBe(1);
    }
    // Precision@k is for researchers, whose report has no log.
    expect(await page.getByRole('img', { name: /^Reduction by the first k rules/ }).count()).toBe(1);
    expect(await page.getByRole('img', { name: /^Precision/ }).count()).toBe(0);
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(100);
    const broken = `${query('a[href^="#"]')}.filter((node) => !/^#rule-/.test(node.hash) && !document.querySelector(node.hash))${outer}`;
    expect(await all(broken)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the report');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.context().close();
  });
});
