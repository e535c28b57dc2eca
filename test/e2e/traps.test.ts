// Every trap of the planted live site by itself: mine its log, validate against the server, canonize its URLs. Whatever
// the trap, no two documents may get the same canonical form.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules, writeRules } from '../../src/rule/file.js';
import type { Rule } from '../../src/rule/rule.js';
import { run, scratchFolder } from '../cli/process.js';
import { sampleFile, sampleRule } from '../rule/sample.js';
import type { Trap } from '../live-site-sections.js';
import { startSite, type LiveSite } from '../live-site.js';

interface Outcome {
  readonly site: LiveSite;
  readonly rules: readonly Rule[];
  readonly valid: readonly string[];
  readonly formOf: ReadonlyMap<string, string>;
  readonly falseMerges: readonly string[];
  /** Share of the dust that was removed. */
  readonly coverage: number;
}

let folder: ReturnType<typeof scratchFolder>;
const sites: LiveSite[] = [];
beforeAll(() => (folder = scratchFolder()));
afterAll(async () => {
  for (const site of sites) await site.close();
  folder.remove();
});

async function outcomeOf(only: readonly Trap[], pages = 120): Promise<Outcome> {
  const site = await startSite({ pages, only, seed: 3, slowMs: 5 });
  sites.push(site);
  const name = only.join('-');
  const at = (end: string) => join(folder.path, `${name}.${end}`);
  writeFileSync(at('log'), `${site.logLines('vhost').join('\n')}\n`);
  writeFileSync(at('urls'), `${site.urls.join('\n')}\n`);
  // The owner of this site says that its parameters of such names mean nothing.
  const written = ['--write', 'ref', 'lang'];
  const mining = ['mine', at('log'), '-o', at('json'), '--min-site-urls', '10', '--fetch', ...written];
  const mined = await run([...mining, ...fetchingFrom(site)]);
  expect(mined.code, mined.stderr).toBe(0);
  const { rules } = readRules(readFileSync(at('json')), name);
  const valid = rules.filter(({ status }) => status === 'valid').map(said);
  const canonized = await run(['canonize', '-r', at('json'), '-i', at('urls'), '--accept', 'valid']);
  // Without a valid rule canonize has nothing to apply, and says so.
  const forms = valid.length === 0 ? site.urls : canonized.stdout.toString().trimEnd().split('\n');
  return { site, rules, valid, ...judged(site, forms) };
}

/** The result for rules that were not mined. */
async function validated(only: Trap, rules: readonly Rule[]): Promise<readonly Rule[]> {
  const site = await startSite({ pages: 120, only: [only], seed: 3 });
  sites.push(site);
  const at = (end: string) => join(folder.path, `${only}-by-hand.${end}`);
  const likely = rules.map((rule): Rule => ({ ...rule, site: 'planted.test', status: 'likely' }));
  writeFileSync(at('json'), [...writeRules(sampleFile(likely))].join(''));
  writeFileSync(at('urls'), `${site.urls.join('\n')}\n`);
  const { code, stderr } = await run(['validate', at('json'), '--test', at('urls'), ...fetchingFrom(site)]);
  expect(code, stderr).toBe(0);
  return readRules(readFileSync(at('json')), only).rules;
}

function fetchingFrom(site: LiveSite): string[] {
  const resolve = site.hosts.map((host) => `${host.replace(/:\d+$/, '')}=127.0.0.1`);
  return ['--rate', '10000', '--allow-private', '--fetch-cache', 'none', '--resolve', ...resolve];
}

/** A rule without the name of the server. */
function said(rule: Rule): string {
  const plain = (text: string) => text.replace(/:\d+\//g, '/');
  if (rule.kind === 'substring') return `${rule.anchor} ${plain(rule.from)} ${plain(rule.to)}`;
  if (rule.kind === 'step') return `${rule.step} ${plain(rule.text)}`;
  if (rule.kind === 'pattern') return `${rule.pattern} ${rule.template}`;
  return [rule.name, rule.action, plain(rule.path)].join(' ').trim();
}

function judged(site: LiveSite, forms: readonly string[]): Pick<Outcome, 'formOf' | 'falseMerges' | 'coverage'> {
  const formOf = new Map(site.urls.map((url, k) => [url, forms[k]!]));
  const documents = new Map<string, Set<string>>();
  const all = new Set<string>();
  let known = 0;
  for (const [url, form] of formOf) {
    const document = site.truth(url);
    if (document === undefined) continue;
    known++;
    all.add(document);
    documents.set(form, (documents.get(form) ?? new Set()).add(document));
  }
  const falseMerges = [...documents]
    .filter(([, set]) => set.size > 1)
    .map(([form, set]) => `${form}: ${[...set].join(', ')}`);
  const before = known - all.size;
  return { formOf, falseMerges, coverage: before === 0 ? 1 : (before - (documents.size - all.size)) / before };
}

/** URLs of the site whose path matches, by document. */
function merged({ site, formOf }: Outcome, path: RegExp): number {
  const urls = site.urls.filter((url) => path.test(url) && site.truth(url) !== undefined);
  return urls.length - new Set(urls.map((url) => formOf.get(url))).size;
}

describe('no false merge, and:', { timeout: 60_000 }, () => {
  async function check(only: readonly Trap[], expectation: (outcome: Outcome) => void, pages?: number): Promise<void> {
    const outcome = await outcomeOf(only, pages);
    expect(outcome.falseMerges).toEqual([]);
    expectation(outcome);
  }

  test('a rule that is right on one host and wrong on another holds only on the one', () =>
    check(['host-rule'], (outcome) => {
      expect(merged(outcome, /www\.planted/)).toBeGreaterThan(20);
      expect(merged(outcome, /forum\.planted/)).toBe(0);
    }));

  test('if the shrinking image of a pair is mostly 404, the other direction holds', () =>
    check(['shrinking-404'], ({ rules, coverage }) => {
      const [rule] = rules.filter((one) => one.status === 'valid');
      expect(rule).toMatchObject({ kind: 'substring' });
      if (rule?.kind === 'substring') expect(rule.to).toMatch(/\/people\/p?$/);
      expect(rule!.otherWay!.negatives[0]![2]).toBe('status 404');
      expect(coverage).toBe(1);
    }));

  test('a rule that is right for 90 % of pages is refuted', () =>
    check(
      ['ninety'],
      ({ rules, valid }) => {
        expect(valid).toEqual([]);
        const refuted = rules.filter(({ status }) => status === 'invalid');
        expect(refuted.some(({ verdict }) => verdict!.negatives.some(([, , why]) => why === 'different'))).toBe(true);
      },
      300,
    ));

  test('numbered series are left alone', () =>
    check(['series', 'story'], ({ valid }) => {
      expect(valid.filter((rule) => /lect|pic/.test(rule))).toEqual([]);
      expect(valid.length).toBeGreaterThan(0);
    }));

  test('a soft 404 that answers 200 for anything proves nothing', async () => {
    const [both, one] = await validated('soft-404', [
      sampleRule('.html', '.htm', { anchor: 'end' }),
      sampleRule('soft.planted.test', 'soft.planted.test', { rank: 2, to: 'soft.planted.test.' }),
    ]);
    expect(both!.verdict!.unjudged['soft-error']).toBeGreaterThan(10);
    expect(both).toMatchObject({ status: 'likely', verdict: { positive: 0, undecided: 'few-samples' } });
    expect(one!.status).not.toBe('valid');
    await check(['soft-404'], ({ valid }) => expect(valid).toEqual([]));
  });

  test('a login wall proves nothing', () =>
    check(['login', 'story'], ({ valid }) => expect(valid.filter((rule) => /member/.test(rule))).toEqual([])));

  test('a page that leaves the site proves nothing', () =>
    check(['offsite', 'story'], ({ valid }) => expect(valid.filter((rule) => /out/.test(rule))).toEqual([])));

  test('a parameter whose removal changes a random picture stays', () =>
    check(['picture', 'story'], ({ valid }) => expect(valid.filter((rule) => /\bad\b/.test(rule))).toEqual([])));

  test('page=2 is not page=1', () =>
    check(['page'], ({ formOf }) => {
      for (const [url, form] of formOf) if (/page=[23]/.test(url)) expect(form).toBe(url);
    }));

  test('sort orders stay apart, whether of a folder or of a catalogue', () =>
    check(['autoindex', 'sort'], ({ formOf }) => {
      for (const [url, form] of formOf) if (/O=D|sort=desc/.test(url)) expect(form).toMatch(/O=D|sort=desc/);
    }));

  test('a printable view, whose size says that it is another page, is left alone', () =>
    check(['print'], ({ valid }) => expect(valid).toEqual([])));

  test('languages stay apart', () =>
    check(['lang'], ({ formOf }) => {
      for (const [url, form] of formOf) if (/lang=da/.test(url)) expect(form).toBe(url);
    }));

  test('a parameter that is neutral in one folder and not in another goes in the one', () =>
    check(['ref'], (outcome) => {
      const { formOf } = outcome;
      // Whichever rule does it: of a folder, of all but the other folder, or of the values.
      expect(merged(outcome, /\/product\//)).toBeGreaterThan(20);
      expect(merged(outcome, /\/compare\//)).toBe(0);
      for (const [url, form] of formOf) if (/compare/.test(url)) expect(form).toContain('ref=');
    }));

  test('session ids go, in queries and in paths', () =>
    check(['session', 'jsessionid'], ({ valid, coverage }) => {
      expect(valid).toContain('sid remove');
      expect(valid).toContain('jsessionid remove');
      expect(coverage).toBe(1);
    }));

  test('tracking goes, and rules that it had hidden are found', () =>
    check(['tracking', 'story'], ({ valid, coverage }) => {
      expect(valid).toContain('utm_source remove');
      expect(coverage).toBe(1);
    }));

  test('empty fields go only where they mean nothing', () =>
    check(['empty-fields'], ({ formOf, coverage }) => {
      for (const [url, form] of formOf) if (/\?a/.test(url)) expect(form).toMatch(/\?a/);
      expect(coverage).toBeGreaterThan(0.6);
    }));

  test('a page that redirects to its own canonized form is that form', () =>
    check(['canonical-redirect'], ({ coverage }) => expect(coverage).toBe(1)));

  test('pages that robots.txt disallows are not fetched, and their rules stay likely', () =>
    check(['robots', 'story'], ({ site, rules }) => {
      expect(site.requests.filter(({ url }) => url.includes('/private/'))).toEqual([]);
      const closed = rules.filter((rule) => rule.kind === 'substring' && rule.from.includes('.html'));
      expect(
        closed.every(({ status, verdict }) => status === 'likely' && verdict?.unjudged['u: robots'] !== undefined),
      ).toBe(true);
      expect(closed.length).toBeGreaterThan(0);
    }));

  test('a server that is busy is retried later', () => check(['busy'], ({ coverage }) => expect(coverage).toBe(1), 12));
});
