// The canonizer as SPEC 8 reads: text, every rule tried in order, no index, no cache between URLs.
import { decodeText, encodeText } from '../../src/base/bytes.js';
import type { CanonizerOptions } from '../../src/canonize/canonizer.js';
import { compileRule, imageOf, spelledRule } from '../../src/rule/apply.js';
import type { Rule } from '../../src/rule/rule.js';
import { readingOf } from '../addresses.js';
import { compareForms, isUrl, pathStart } from '../../src/url/form.js';
import { normalizeSafe } from '../../src/url/normalize.js';
import { createSiteOf } from '../../src/url/public-suffix.js';

export function naiveCanonize(url: string, rules: readonly Rule[], options: CanonizerOptions): string {
  if (!isTaken(url, options)) return url;
  const forms = [prepare(url.replace(/ +$/, ''), options)];
  for (let round = 1; round <= options.maxIterations; round++) {
    const form = forms.at(-1)!;
    const image = encodeText(form).length > 4096 ? undefined : applyAll(form, rules, options);
    if (image === undefined || !isTaken(image, options)) return url;
    const next = prepare(image, options);
    if (next === form) return form;
    const seen = forms.indexOf(next);
    if (seen >= 0) return forms.slice(seen).toSorted((a, b) => compareForms(encodeText(a), encodeText(b)))[0]!;
    forms.push(next);
  }
  return url;
}

/** True for a URL whose head browsers take. */
function isTaken(url: string, { normalize }: CanonizerOptions): boolean {
  if (!isUrl(encodeText(normalize === 'safe' ? url.replaceAll(' ', '+') : url))) return false;
  const trimmed = url.includes('#') ? url : url.replace(/ +$/, '');
  const [head] = /^https?:\/\/[^/?#\\]*/i.exec(trimmed) ?? [];
  return head === undefined || readingOf(`${head}/`) !== undefined;
}

const siteOf = { host: createSiteOf('host'), domain: createSiteOf('domain'), all: createSiteOf('all') };

function prepare(url: string, { normalize }: CanonizerOptions): string {
  const cut = cutFragment(encodeText(url));
  return decodeText(normalize === 'safe' ? normalizeSafe(cut) : cut);
}

function cutFragment(url: Uint8Array): Uint8Array {
  const at = url.indexOf(0x23);
  return at < 0 ? url : url.subarray(0, at);
}

function applyAll(url: string, rules: readonly Rule[], options: CanonizerOptions): string | undefined {
  let form = encodeText(url);
  for (const rule of rules.toSorted((a, b) => a.rank - b.rank)) {
    const isPath = options.urlForm === 'path';
    const site = isPath ? '' : siteOf[options.sitePolicy](form, 0, form.length);
    if (rule.site !== '*' && rule.site !== site) continue;
    form = imageOf(
      compileRule(options.normalize === 'safe' ? spelledRule(rule) : rule),
      form,
      isPath ? pathStart(form) : 0,
    );
    if (form.length > 4096) return undefined;
  }
  return decodeText(form);
}
