// What do clusters answer, asked as a site is asked? A URL of a cluster is a page whose text is its label, and any other
// URL is a page that nobody has kept. So the questions, their order and the verdicts are those of `mine --by-sketch`.
import { byText } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { groupBy } from '../../../base/group-by.js';
import { type ClusterUrl, isTraining } from '../../../mine/align-rules.js';
import type { Rule, RulesFile } from '../../../rule/rule.js';
import type { SiteAnswer } from '../../../validate/ask/ask.js';
import type { AskList } from '../../../validate/ask/list.js';
import { createLogSource } from '../../../validate/logged.js';
import type { SitePlan } from '../../../validate/plan.js';
import { listInMemory } from '../../../validate/site-lists.js';
import type { MineFlags } from '../../flags/mine.js';
import { endedBySignal } from '../../terminal/signals.js';
import { askAll } from '../validate/asking.js';

/** Of one half of the clusters; the other half is for learnRules to check by. */
export interface AskedClusters {
  /** Accepted rules, in the order of application. */
  readonly judged: readonly Rule[];
  /** Mined rules that the clusters neither bear out nor refute. */
  readonly others: readonly Rule[];
}

export async function askClusters(
  urls: readonly ClusterUrl[],
  file: RulesFile,
  flags: MineFlags,
  onPage: () => void,
  effects: Effects,
): Promise<AskedClusters> {
  const labelOf = new Map(urls.map(({ url, label }) => [url, label]));
  const source = createLogSource(
    (url) => {
      onPage();
      return labelOf.get(url);
    },
    (label) => ({ kind: 'bytes', digest: `cluster:${label}` }),
  );
  const half = urls.filter(({ label }) => isTraining(label, flags.seed));
  const plans = plansOf(half, file.rules);
  const answers = new Map<string, SiteAnswer>();
  const onAnswer = ({ site }: SitePlan, answer: SiteAnswer) => void answers.set(site, answer);
  const run = { file, flags, base: null, night: undefined, isWholeList: true } as const;
  await endedBySignal((signal) => askAll(plans, run, { source, signal, now: effects.now().getTime(), onAnswer }));
  const each = [...answers.values()];
  const judged = each.flatMap(({ accepted }) => accepted.map(byClusters));
  const decided = new Set(
    each.flatMap(({ settled, origins }) => [
      ...origins.values(),
      ...[...settled].flatMap(([rule, after]) => (after.some(({ status }) => status === 'invalid') ? [rule] : [])),
    ]),
  );
  return { judged, others: file.rules.filter((rule) => !decided.has(rule)) };
}

function byClusters(rule: Rule): Rule {
  return rule.verdict === undefined ? rule : { ...rule, verdict: { ...rule.verdict, source: 'clusters' } };
}

function plansOf(urls: readonly ClusterUrl[], mined: readonly Rule[]): SitePlan[] {
  const rulesOf = groupBy(mined, ({ site }) => site);
  return [...groupBy(urls, ({ site }) => site)].map(([site, own]) => ({
    site,
    rules: (rulesOf.get(site) ?? []).map((rule) => ({ rule, attempts: [] })),
    sketches: undefined,
    list: listInMemory(listOf(own.toSorted((a, b) => byText(a.url, b.url)))),
  }));
}

function listOf(urls: readonly ClusterUrl[]): AskList {
  const hits = urls.map((one) => Math.max(1, one.hits ?? 0));
  return { urls: urls.map(({ url }) => url), redirected: [], hits: hits.some((one) => one > 1) ? hits : [] };
}
