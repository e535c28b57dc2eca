// What do pairwise rules learn? Anirban Dasgupta, Ravi Kumar, Amit Sasturkar: De-duping URLs via Rewrite Rules, KDD 2008.
//
// A rule (c, t) has a context, a value or * for each key of the URL, and a transformation. All ordered pairs of URLs of
// a class give a rule each, whose context is the whole URL. Rules with the same t and the same keys are then generalized:
// a key with many values among classes (its fan-out) becomes *, as it says which page it is, or does not matter. For
//
//   http://cnn.com/money/7  ->  http://money.cnn.com/7      h2 = [p0]  p0 = [p1]  p1 deleted
//
// p0 and p1 have many values, so one rule holds for all sections and pages. From memory and from the abstract: the
// paper's MiniMax has other bookkeeping, and its thresholds are not known. Here at most 8 URLs of a class are paired.
import { chooseRules, type Candidate } from './choose.js';
import { type KeyValues, keyValuesOf, urlOf } from './key-values.js';
import { clustersOf, kept, type Labelled, type Learned, type Learner } from './learner.js';
import { changesBetween, nameOf, transform, type Transformation } from './transformation.js';

const MOST_URLS = 8;
/** Values of a key, each from another class, from which on it becomes *. */
const LEAST_FANOUT = 5;
/** Classes that a rule has to come from. */
const LEAST_CLASSES = 2;
const MOST_CANDIDATES = 3_000;

interface PairRule {
  readonly context: KeyValues;
  readonly cluster: number;
}

interface Group {
  readonly changes: Transformation;
  readonly rules: PairRule[];
}

export const pairwise: Learner = {
  name: "pairwise, KDD'08",
  needs: 'clusters',
  misses: 'a rule holds for one set of keys only, so each set of other parameters needs its own; parts of values',
  learn: learnPairwise,
};

export function learnPairwise(pages: readonly Labelled[], seed: number): Learned {
  const read = kept(keyValuesOf);
  const candidates = [...groupsOf(pages, seed).values()].flatMap(({ changes, rules }) =>
    generalized(rules).map(({ context, classes }) => ({ changes, context, classes })),
  );
  candidates.sort((a, b) => b.classes - a.classes);
  const rules = candidates.slice(0, MOST_CANDIDATES).map(({ changes, context }): Candidate => {
    return {
      name: `${contextName(context)} -> ${nameOf(changes)}`,
      apply: (url) => applied(read(url), context, changes),
    };
  });
  return chooseRules(pages, rules, (url) => urlOf(read(url)));
}

function groupsOf(pages: readonly Labelled[], seed: number): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [cluster, urls] of clustersOf(pages, { most: MOST_URLS, seed }).entries()) {
    const read = urls.map(keyValuesOf);
    for (const from of read) {
      for (const to of read) {
        const changes = changesBetween(from, to);
        if (changes.size === 0) continue;
        const name = `${[...from.keys()].sort().join(' ')} -> ${nameOf(changes)}`;
        const group = groups.get(name) ?? { changes, rules: [] };
        group.rules.push({ context: from, cluster });
        groups.set(name, group);
      }
    }
  }
  return groups;
}

/** Contexts in which keys with many values are *, and how many classes each comes from. */
function generalized(rules: readonly PairRule[]): { readonly context: KeyValues; readonly classes: number }[] {
  const keys = [...rules[0]!.context.keys()];
  const wild = new Set(keys.filter((key) => fanoutOf(key, rules) >= LEAST_FANOUT));
  const contexts = new Map<string, { readonly context: KeyValues; readonly classes: Set<number> }>();
  for (const { context, cluster } of rules) {
    const general = new Map(keys.map((key) => [key, wild.has(key) ? '*' : context.get(key)!]));
    const name = contextName(general);
    const known = contexts.get(name) ?? { context: general, classes: new Set() };
    known.classes.add(cluster);
    contexts.set(name, known);
  }
  return Array.from(contexts.values(), ({ context, classes }) => ({ context, classes: classes.size })).filter(
    ({ classes }) => classes >= LEAST_CLASSES,
  );
}

/** Values of the key, where a class counts once: a page with 500 sessions is one page. */
function fanoutOf(key: string, rules: readonly PairRule[]): number {
  const firstOf = new Map<number, string>();
  for (const { context, cluster } of rules) if (!firstOf.has(cluster)) firstOf.set(cluster, context.get(key)!);
  return new Set(firstOf.values()).size;
}

function applied(url: KeyValues, context: KeyValues, changes: Transformation): string | null {
  if (url.size !== context.size) return null;
  for (const [key, value] of context) {
    const own = url.get(key);
    if (own === undefined || (value !== '*' && own !== value)) return null;
  }
  const result = transform(url, changes);
  return result === null ? null : urlOf(result);
}

function contextName(context: KeyValues): string {
  return Array.from(context, ([key, value]) => `${key}=${value}`).join(' ');
}
