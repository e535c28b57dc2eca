// What does DUSTER learn? Kaio Rodrigues, Marco Cristo, Edleno S. de Moura, Altigran S. da Silva: Removing DUST Using
// Multiple Alignment of Sequences, IEEE TKDE 27(8), 2015 (Algorithms 1 to 4), first at SPIRE 2013.
//
// Some URLs of each cluster are aligned, all in one. The consensus is a rule: what is the same all over the site stays as
// it is; a token that is the same in the cluster and not in others says which page it is, and becomes a group of its
// class; what differs inside of the cluster does not matter, and is left out of the result, which is a key and no URL:
//
//   http://a/story?id=12   http://a/story?id=12&sid=9     ^http://a/story\?id=(\d+)[…]*$  ->  http://a/story?id=$1
//
// Rules that several clusters give are candidates. They are validated on clusters that did not teach: half of those that
// there are. Classes of tokens, scores of the alignment and when a token stays as it is are not known from the paper.
import { alignAll, classOf, GAP, type Position, type Sequence, sequenceOf } from './alignment.js';
import { chooseRules, type Candidate } from './choose.js';
import { clustersOf, kept, type Labelled, type Learned, type Learner } from './learner.js';

/** K of the paper: the URLs of a cluster that are aligned. */
const MOST_URLS = 6;
const MOST_TOKENS = 80;
/** Clusters that have to give the same rule. */
const LEAST_CLUSTERS = 2;
/** Share of the clusters, and at least so many, in which a token has to be for it to stay as it is. */
const FREQUENT = { share: 0.01, clusters: 5 };

export interface SignatureRule {
  readonly context: string;
  /** With $1 and so on. */
  readonly signature: string;
}

export const duster: Learner = {
  name: "DUSTER, TKDE'15",
  needs: 'clusters, half of them to validate',
  misses: 'conditions; parts that move; words in varying number; URLs to go to, as a signature is none',
  learn: learnDuster,
};

export function learnDuster(pages: readonly Labelled[], seed: number): Learned {
  const [teaching, validating] = halvedByLabel(pages);
  const counts = new Map<string, { readonly rule: SignatureRule; clusters: number }>();
  const consensuses = clustersOf(teaching, { most: MOST_URLS, seed }).flatMap((urls) => {
    const sequences = urls.map(sequenceOf).filter(({ length }) => length <= MOST_TOKENS);
    return sequences.length < 2 ? [] : [alignAll(sequences)];
  });
  const isFrequent = frequentTokens(consensuses);
  for (const consensus of consensuses) {
    const rule = ruleOf(consensus, isFrequent);
    const known = counts.get(rule.context + rule.signature) ?? { rule, clusters: 0 };
    known.clusters++;
    counts.set(rule.context + rule.signature, known);
  }
  const rules = [...counts.values()].filter(({ clusters }) => clusters >= LEAST_CLUSTERS).map(({ rule }) => rule);
  return chooseRules(validating, rules.map(candidateOf), (url) => url);
}

/** Every other label, in the order of the labels: these know nothing of the pages. */
function halvedByLabel(pages: readonly Labelled[]): readonly [Labelled[], Labelled[]] {
  const labels = [...new Set(pages.map(({ label }) => label))].sort();
  const teaching = new Set(labels.filter((_, at) => at % 2 === 0));
  return [pages.filter(({ label }) => teaching.has(label)), pages.filter(({ label }) => !teaching.has(label))];
}

/** Tokens that stay as they are, as many clusters have them; signs do always. */
function frequentTokens(consensuses: readonly Sequence[]): (token: string) => boolean {
  const clusters = new Map<string, number>();
  for (const consensus of consensuses) {
    const tokens = new Set(consensus.flatMap((position) => [...position]));
    for (const token of tokens) clusters.set(token, (clusters.get(token) ?? 0) + 1);
  }
  const least = Math.max(FREQUENT.clusters, FREQUENT.share * consensuses.length);
  return (token) => classOf(token) === null || (!/^\d+$/.test(token) && (clusters.get(token) ?? 0) >= least);
}

/** Positions that do not matter and stand side by side are one: a parameter with its name, whatever it holds. */
export function ruleOf(consensus: Sequence, isFrequent: (token: string) => boolean): SignatureRule {
  let [context, signature, groups] = ['', '', 0];
  let loose: Position[] = [];
  for (const position of consensus) {
    if (position.size > 1) {
      loose.push(position);
      continue;
    }
    context += looseText(loose);
    loose = [];
    const [token] = [...position] as [string];
    context += isFrequent(token) ? escaped(token) : `(${classOf(token)!})`;
    signature += isFrequent(token) ? token : `$${++groups}`;
  }
  return { context: `^${context}${looseText(loose)}$`, signature };
}

/** The classes and the signs of what was seen there. */
function looseText(positions: readonly Position[]): string {
  if (positions.length === 0) return '';
  const tokens = positions.flatMap((position) => [...position]).filter((token) => token !== GAP);
  const members = new Set(tokens.map((token) => classOf(token)?.replace(/^\[|\]?\+$/g, '') ?? escaped(token)));
  const isOptional = positions.every((position) => position.has(GAP));
  return `[${[...members].sort().join('')}]${isOptional ? '*' : '+'}`;
}

/** A dash as its number: it has a meaning between brackets, and its escape none elsewhere. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\x2d');
}

function candidateOf({ context, signature }: SignatureRule): Candidate {
  const expression = new RegExp(context, 'u');
  const parts = signature.split(/\$(\d+)/);
  const apply = kept((url: string) => {
    const found = expression.exec(url);
    return found === null ? '' : parts.map((part, at) => (at % 2 === 0 ? part : found[Number(part)]!)).join('');
  });
  return { name: `${context} -> ${signature}`, apply: (url) => apply(url) || null };
}
