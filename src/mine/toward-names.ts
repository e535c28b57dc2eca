// A crawl may say which side of a rule names the pages: where most images redirect to the URLs that the rule changes, the
// rule is turned. A pair without a word of its own follows a more general one. (What hits say comes later: ./names.)
//
//   https://x/ → http://x/     the site redirects http: turned
//   /a/ → /a                   the site adds slashes: turned, as the step add-end-slash
//
// A turned rule may reach URLs that nobody has redirected: `ε → /` makes /a.png/ of /a.png. So it is turned only if it
// adds no text, or if few URLs that it would change are pages of their own.
import { compileRule, substitutionOf, type CompiledRule } from '../rule/apply.js';
import { refinesPair } from '../rule/refine.js';
import { isInsertion } from '../rule/standing.js';
import { decodeText } from '../base/bytes.js';
import type { Pair } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';
import { type Evidence, gatherRules } from './evidence.js';
import { isConfirmed, namesUrls } from './said.js';

/** A pair in the direction to use, and its evidence in that direction. */
export interface Directed {
  readonly pair: Pair;
  readonly evidence: Evidence;
}

/** The largest share of pages of their own among the URLs that a rule which adds text changes. */
const MOST_ALONE = 0.05;

/** The pairs, most instances first, each in the direction that the site names. */
export function towardNames(
  urls: SiteUrls,
  pairs: readonly Pair[],
  evidence: readonly Evidence[],
  similarity: boolean,
): readonly Directed[] {
  const isTurned = turns(pairs, evidence);
  const places = pairs.map((_, at) => at).filter((at) => isTurned[at]);
  const turned = places.map((at) => turnedPair(pairs[at]!));
  const again = gatherRules(urls, turned.map(compiled), similarity);
  const directed = pairs.map((pair, at): Directed => ({ pair, evidence: evidence[at]! }));
  for (const [k, at] of places.entries()) {
    const [pair, found] = [turned[k]!, again[k]!];
    if (!addsText(pair) || found.alone <= MOST_ALONE * found.changed) directed[at] = { pair, evidence: found };
  }
  return directed;
}

/** Which pairs to turn. */
function turns(pairs: readonly Pair[], evidence: readonly Evidence[]): readonly boolean[] {
  const isTurned: boolean[] = [];
  for (const [at, pair] of pairs.entries()) {
    const { said } = evidence[at]!;
    const follows = () => isTurned.some((is, broad) => is && refinesPair(pair, pairs[broad]!));
    isTurned.push(namesUrls(said) || (!isConfirmed(said) && follows()));
  }
  return isTurned;
}

function turnedPair({ from, to, examples, ...pair }: Pair): Pair {
  return { ...pair, from: to, to: from, examples: examples.map(([url, image]) => [image, url] as const) };
}

/** True for the pair that adds a slash to every URL: its rule is a step, which leaves files alone. */
export function addsSlash({ from, to, anchor }: Pick<Pair, 'from' | 'to' | 'anchor'>): boolean {
  return from.length === 0 && anchor === 'end' && decodeText(to) === '/';
}

function addsText(pair: Pair): boolean {
  const [from, to] = [decodeText(pair.from), decodeText(pair.to)];
  return isInsertion({ kind: 'substring', from, to, anchor: pair.anchor });
}

function compiled(pair: Pair): CompiledRule {
  return addsSlash(pair) ? ADD_SLASH : substitutionOf(pair);
}

const ADD_SLASH = compileRule({
  kind: 'step',
  step: 'add-end-slash',
  text: '',
  site: '*',
  rank: 0,
  status: 'likely',
  support: { urls: 0 },
  against: 0,
  confidence: 0,
  examples: [],
});
