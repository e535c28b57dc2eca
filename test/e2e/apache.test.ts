// From a crawl to canonical forms, with a real Apache: crawl, mine, validate by fetching, canonize, and compare the
// result with the contents of every URL. Runs if Apache and its manual are installed; .ci/run installs them.
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visibleText } from '../../src/sketch/text.js';
import { readRules } from '../../src/rule/file.js';
import { textsOf } from '../../src/rule/meaning.js';
import type { RulesFile } from '../../src/rule/rule.js';
import { run, scratchFolder } from '../cli/process.js';
import { isInstalled, MANUAL, startApache, type Apache } from './apache.js';

const isWanted = process.env['DUSTBUSTER_E2E'] === '1';
if (isWanted && !isInstalled)
  throw new Error('DUSTBUSTER_E2E=1 asks for Apache: install apache2-bin, apache2-doc and media-types');

let bare = 'http://example.test';
let www = 'http://www.example.test';

describe.skipIf(!isInstalled)('on a site that Apache serves', { timeout: 120_000 }, () => {
  let apache: Apache;
  let folder: ReturnType<typeof scratchFolder>;
  let rules: RulesFile;
  let asked: string[];
  const at = (name: string) => join(folder.path, name);
  const fetching = () => [
    '--rate',
    '10000',
    '--allow-private',
    '--fetch-cache',
    at('cache'),
    '--resolve',
    'example.test=127.0.0.1',
    'www.example.test=127.0.0.1',
  ];

  beforeAll(async () => {
    apache = await startApache();
    bare = `http://example.test:${apache.port}`;
    www = `http://www.example.test:${apache.port}`;
    folder = scratchFolder();
    asked = await crawl(apache);
    // A copy, as the server also logs what is fetched now.
    copyFileSync(apache.log, at('access.log'));
    const mined = await run(['mine', at('access.log'), '--fetch', '-o', at('rules.json'), ...fetching()]);
    expect(mined.code, mined.stderr).toBe(0);
    rules = readRules(readFileSync(at('rules.json')), 'rules.json');
  }, 120_000);

  afterAll(async () => {
    await apache.stop();
    folder.remove();
  });

  test('rules that are true of the server come out valid, in the direction that shrinks', () => {
    const valid = rules.rules.filter(({ status }) => status === 'valid');
    const said = valid.map((rule) =>
      rule.kind === 'substring' ? `${rule.anchor} ${rule.from} ${rule.to}` : textsOf(rule)[0]!,
    );
    expect(said).toContain('end .html ');
    expect(said.some((rule) => rule.startsWith(`start ${www}/ ${bare}/`))).toBe(true);
    for (const { verdict } of valid) expect(verdict!.positive).toBeGreaterThanOrEqual(3);
  });

  test('a folder listed backwards is not a duplicate of one listed forwards', () => {
    const sorting = rules.rules.filter(
      (rule) => rule.kind === 'substring' && /O=D/.test(rule.from) && /O=A/.test(rule.to),
    );
    for (const rule of sorting) expect(rule.status).not.toBe('valid');
  });

  test('URLs share a canonical form only if their contents are the same, and most of the dust is gone', async () => {
    const urls = [...new Set(asked)].sort();
    const content = new Map<string, string>();
    for (const url of urls) {
      const digest = await contentOf(apache, url);
      if (digest !== undefined) content.set(url, digest);
    }
    const known = [...content.keys()];
    writeFileSync(at('urls.txt'), known.map((url) => `${url}\n`).join(''));
    const { stdout, code } = await run(['canonize', '-r', at('rules.json'), '-i', at('urls.txt')]);
    expect(code).toBe(0);
    const forms = stdout.toString().trimEnd().split('\n');
    expect(forms).toHaveLength(known.length);
    const contents = new Map<string, Set<string>>();
    for (const [k, form] of forms.entries()) {
      contents.set(form, (contents.get(form) ?? new Set()).add(content.get(known[k]!)!));
    }
    const falseMerges = forms.filter((form) => contents.get(form)!.size > 1).length;
    const distinct = new Set(content.values()).size;
    const before = known.length - distinct;
    const after = contents.size - distinct;
    const coverage = (before - after) / before;
    console.log(
      `${known.length} URLs, ${distinct} contents, ${contents.size} canonical forms, coverage ${coverage.toFixed(3)}, false merges ${falseMerges}`,
    );
    expect(falseMerges).toBe(0);
    expect(coverage).toBeGreaterThan(0.9);
  });

  test('the same run again fetches nothing, and reports the same', async () => {
    const again = await run(['mine', at('access.log'), '--fetch', '-o', at('again.json'), ...fetching()]);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('\nmade 0 requests to the site; ');
    expect(readFileSync(at('again.json'), 'utf8')).toBe(readFileSync(at('rules.json'), 'utf8'));
  });
});

/** Where redirects end, and the digest of the body there; undefined if there is no page. */
async function contentOf(apache: Apache, url: string): Promise<string | undefined> {
  let at = url;
  for (let hop = 0; hop < 5; hop++) {
    const { status, location, type, body } = await apache.get(at);
    // The content of a page: a folder sorted by date whose order equals that by name is the same to a reader, and so is
    // one that names itself in its title, by either of its addresses.
    if (status === 200) {
      const text = visibleText(body, type) ?? body.toString('latin1');
      const own = new URL(at).pathname.replace(/\/$/, '');
      return createHash('sha1').update(text.replaceAll(own, '')).digest('hex');
    }
    if (location === undefined) return undefined;
    at = new URL(location, at).href;
  }
  return undefined;
}

/**
 * The requests of several visitors: the manual by both hosts and aliases, from different entry pages, following links.
 */
async function crawl(apache: Apache): Promise<string[]> {
  const asked: string[] = [];
  const ask = async (url: string) => {
    asked.push(url);
    return apache.get(url);
  };
  const pages = pagesOf('en');
  const folders = [
    '',
    'mod/',
    'howto/',
    'misc/',
    'platform/',
    'programs/',
    'rewrite/',
    'ssl/',
    'vhosts/',
    'developer/',
    'faq/',
  ];
  const walk = async (prefix: string, language: string) => {
    for (const page of pages) await ask(`${prefix}/${language}/${page}`);
  };
  await walk(`${bare}/manual`, 'en');
  await walk(`${www}/manual`, 'en');
  await walk(`${bare}/docs/2.4`, 'en');
  await walk(`${www}/docs/2.4`, 'en');
  await walk(`${bare}/manual`, 'da');
  await walk(`${bare}/manual`, 'fr');
  for (const prefix of [`${bare}/manual`, `${www}/manual`, `${bare}/docs/2.4`]) {
    for (const folder of folders) for (const end of ['', 'index.html']) await ask(`${prefix}/en/${folder}${end}`);
    for (const sort of ['', '?C=N;O=D', '?C=M;O=A', '?C=S;O=A', '?C=D;O=A', '?C=N;O=A', '?C=M;O=D']) {
      for (const place of ['images/', 'style/', 'style/css/', 'style/lang/', 'style/scripts/'])
        await ask(`${prefix}/${place}${sort}`);
    }
  }
  for (const page of pages) await ask(`${bare}/manual/en/${page.replace(/\.html$/, '')}`);
  // A crawler that follows links, until it has seen 200 pages.
  const waiting = [`${www}/manual/ko/index.html`];
  const seen = new Set(waiting);
  for (let url = waiting.shift(); url !== undefined && seen.size < 200; url = waiting.shift()) {
    const { body } = await ask(url);
    for (const [, href] of body.toString('latin1').matchAll(/href="([^"#:]+)"/g)) {
      const next = new URL(href!, url).href;
      if (seen.has(next) || !next.includes('/ko/')) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return asked;
}

/** Pages of the manual in one language, as paths under its folder. */
function pagesOf(language: string): string[] {
  const root = join(MANUAL, language);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .sort();
}
