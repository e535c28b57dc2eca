// Does a run of slashes in the path mean one? Pairs such as `//` → `/` and `/library//` → `/library/` also hold inside of
// values, where they may be wrong, and no server can express that. If the log is sure of such a pair, the step that folds
// slashes in paths alone is a rule too, as sure as its own instances make it:
//
//   /library//io           → /library/io             an instance: its image is in the list
//   /go?to=http://a.test/  stays
import { decodeText } from '../base/bytes.js';
import { compileRule } from '../rule/apply.js';
import type { Rule, StepRule, SubstringRule } from '../rule/rule.js';
import { CONFIDENT } from '../rule/standing.js';
import { compileStep, takeStep } from '../rule/step.js';
import { findRow } from '../table/find-row.js';
import { pairsIn } from '../table/nearness.js';
import type { SiteUrls } from '../table/site-urls.js';
import { MAX_URL_BYTES, uncollateTo } from '../url/token.js';
import { gatherRules } from './evidence.js';
import type { Sureness } from './sureness.js';

const STEP = { step: 'fold-slashes', text: '' } as const;
const MOST_EXAMPLES = 3;
const FEWEST_URLS = 3;

type Folding = Pick<SubstringRule, 'kind' | 'from' | 'to' | 'confidence'> | Pick<Exclude<Rule, SubstringRule>, 'kind'>;

/** The rule of the site, if one of these folds slashes and the log is sure of it. */
export function foldingRule(
  urls: SiteUrls,
  rules: readonly Folding[],
  sureness: Sureness,
): Omit<StepRule, 'rank'> | undefined {
  if (!rules.some(isSureFolding)) return undefined;
  const { changed, examples } = instancesOf(urls);
  if (changed < FEWEST_URLS) return undefined;
  const rule = { site: urls.site, kind: 'step', ...STEP, status: 'likely', support: { urls: changed } } as const;
  const [evidence] = gatherRules(urls, [compileRule({ ...rule, rank: 0, against: 0, confidence: 0, examples })], true);
  const against = pairsIn(evidence!.pairs) - evidence!.pairs[0]!;
  return { ...rule, against, confidence: sureness.ofEvidence(evidence!, changed), examples };
}

function isSureFolding(rule: Folding): boolean {
  if (rule.kind !== 'substring' || rule.confidence < CONFIDENT) return false;
  return rule.to.length < rule.from.length && folded(rule.from) === folded(rule.to);
}

/** Both sides of a rule may begin before a host. */
function folded(text: string): string {
  return text.replace(/\/\/+/g, '/');
}

/** The URLs that folding makes another one of the list. */
function instancesOf(urls: SiteUrls) {
  const raw = new Uint8Array(MAX_URL_BYTES);
  const step = compileStep(STEP);
  const examples: (readonly [string, string])[] = [];
  let changed = 0;
  for (let row = 0; row < urls.count; row++) {
    const at = urls.at(row);
    const length = urls.lengthOf(row);
    uncollateTo(raw, 0, urls.bytes, at, at + length);
    const url = raw.subarray(0, length);
    const image = takeStep(step, url);
    if (Buffer.compare(image, url) === 0 || findRow(urls, image) < 0) continue;
    changed++;
    if (examples.length < MOST_EXAMPLES) examples.push([decodeText(url), decodeText(image)]);
  }
  return { changed, examples };
}
