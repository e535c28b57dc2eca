// Which pins can have no effect? The user who wrote them should know.
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { everySite, type Rule, type RulesFile } from '../../../rule/rule.js';
import { isPinned, isVetoed } from '../../../rule/standing.js';
import { ruleMention } from '../../../rule/words/sentence.js';
import { normalizeSafe } from '../../../url/normalize.js';
import { createSiteOf } from '../../../url/public-suffix.js';

type File = Pick<RulesFile, 'rules' | 'options' | 'normalization'>;

/** Writes a line on standard error for each such pin. */
export function warnOfIdlePins(file: File, effects: Effects): void {
  for (const rule of file.rules) {
    const reason = isPinned(rule) ? noEffect(rule, file) : undefined;
    if (reason !== undefined)
      effects.stderr.write(`dustbuster: the pin of ${ruleMention(rule)} has no effect: ${reason}\n`);
  }
}

/** The reason why a pin of this rule changes no URL; undefined if it may change one. */
export function noEffect(rule: Rule, { options, normalization }: File): string | undefined {
  if (isVetoed(rule)) return 'a veto matches the rule as well, and a veto wins';
  const { site } = rule;
  if (site !== '' && site !== everySite && options.site !== 'all') {
    const url = encodeText(`http://${site}/`);
    const found = createSiteOf(options.site)(url, 0, url.length);
    if (found !== site)
      return `rules belong to a ${options.site}, and no URL to ${printable(site)}; say ${printable(found)}`;
  }
  if (rule.kind !== 'substring') return undefined;
  const odd = (normalization === 'safe' ? /[#\s\p{Cc}\u0080-\u{10ffff}]/u : /[#\s\p{Cc}]/u).exec(rule.from)?.[0];
  if (odd !== undefined) return `no URL has ${JSON.stringify(odd)} when rules are applied`;
  if (normalization !== 'safe' || rule.anchor !== 'start' || !/^https?:\/\/[^/]+\//i.test(rule.from)) return undefined;
  const normal = decodeText(normalizeSafe(encodeText(rule.from)));
  return normal === rule.from ? undefined : `URLs are normalized before, to ${printable(normal)}`;
}
