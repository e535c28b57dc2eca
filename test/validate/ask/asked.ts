// Asks a site with known truth, and compares the result with it.
import { expect } from 'vitest';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { decodeText, encodeText } from '../../../src/base/bytes.js';
import type { Rule } from '../../../src/rule/rule.js';
import { askSite, type AskOptions, type SiteAnswer } from '../../../src/validate/ask/ask.js';
import { countRequests } from '../../../src/validate/ask/count.js';
import { Judge } from '../../../src/validate/judge.js';
import type { PageSource } from '../../../src/validate/source.js';
import { SITE } from '../live/site.js';
import { FunctionSource, type FunctionSite } from '../function-source.js';

export const options: AskOptions = {
  N: 100,
  epsilon: 0.05,
  minSamples: 3,
  pathOnly: false,
  seed: 1,
  maxRequests: 4000,
  audit: 300,
  base: '',
  canonizer: { normalize: 'safe', accept: 'valid', maxIterations: 10, urlForm: 'absolute', sitePolicy: 'all' },
  siteOf: () => '*',
  auditAlone: false,
  isRehearsal: false,
};

export interface Asked {
  readonly answer: SiteAnswer;
  readonly source: FunctionSource;
  readonly formOf: (url: string) => string;
}

/** Asks a site about these URLs. */
export async function ask(
  site: FunctionSite,
  urls: readonly string[],
  more: Partial<AskOptions> & {
    readonly rules?: readonly Rule[];
    readonly redirected?: readonly string[];
    readonly hits?: readonly number[];
    readonly name?: 'live' | 'warc';
    /** Of `site.test`: where pages come from instead of the function. */
    readonly pages?: PageSource;
  } = {},
): Promise<Asked> {
  const { rules = [], redirected = [], hits = [], name = 'live', pages, ...rest } = more;
  const source = new FunctionSource(site, Infinity, name);
  const judge = new Judge({
    source: countRequests(pages ?? source),
    siteOf: () => (pages === undefined ? 'h' : SITE),
    base: '',
    signal: new AbortController().signal,
  });
  const plan = rules.map((rule) => ({ rule, attempts: [] }));
  const answer = await askSite('*', plan, { urls, redirected, hits }, judge, { ...options, ...rest });
  const ranked = answer.accepted.map((rule, at) => ({ ...rule, rank: at + 1 }));
  const canonizer = createCanonizer(ranked, options.canonizer, () => '*');
  return { answer, source, formOf: (url) => decodeText(canonizer.canonize(encodeText(url))) };
}

export const many = <T>(count: number, of: (k: number) => T) => Array.from({ length: count }, (_, k) => of(k));

/** The name of the page that a test site has at a URL, after redirects. */
export function pageOf(site: FunctionSite, url: string): string {
  const said = site(url);
  if (typeof said === 'string') return said;
  if (said === null || typeof said === 'number') return `${said}`;
  return 'redirect' in said ? pageOf(site, said.redirect) : said.page;
}

/** No form is another page, dead, a redirect, or longer than its URL. Returns how many forms the list has. */
export function expectSigned(site: FunctionSite, urls: readonly string[], formOf: (url: string) => string): number {
  for (const url of urls) {
    const form = formOf(url);
    expect({ url, form, page: pageOf(site, form) }).toEqual({ url, form, page: pageOf(site, url) });
    if (form === url) continue;
    const said = site(form);
    expect({ form, redirects: typeof said === 'object' && said !== null && 'redirect' in said }).toEqual({
      form,
      redirects: false,
    });
  }
  return new Set(urls.map(formOf)).size;
}
