// Is the result of all rules together right, and if not, which rules are to blame? Rounds of a uniform sample with URLs
// that the list lacks, and of a tour:
//
//     sample, tour    what fails is blamed on the rules that made it
//     mend            a blamed rule is narrowed; after four rounds it is retired
//     again           rules that insert text may get new forms then
//
// The rounds end with one without a failure, or without requests.
import { encodeText } from '../../base/bytes.js';
import type { Canonizer } from '../../canonize/rounds.js';
import type { Audit, Rule } from '../../rule/rule.js';
import { isPinned } from '../../rule/standing.js';
import type { Asker } from './answer.js';
import { auditOf, auditRound, auditTour, explainBy, mend, ranked, type Findings } from './audit.js';
import type { Known } from './known.js';
import { tomorrowOf, type Tomorrow } from './probe/audited.js';
import type { Making } from './probe/probes.js';
import type { Purse } from './purse.js';
import type { SiteForms } from './site-forms.js';

export interface Auditing {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly purse: Purse;
  readonly known: Known;
  readonly making: Making;
  readonly canonizerOf: (rules: readonly Rule[]) => Canonizer;
  /** Asks again for the site's word where forms have changed. */
  readonly askAgain: () => Promise<void>;
  /** Size of the sample. */
  readonly audit: number;
  readonly seed: number;
  /** Only audits, changes no rule. */
  readonly auditAlone: boolean;
}

/** Rounds that narrow faulty rules; later rounds retire them. */
const NARROWING_ROUNDS = 4;
const MOST_ROUNDS = 8;
/** The share of the sample that are URLs not in the list, and how many requests must be left for each. */
const SHARE_OF_TOMORROW = 0.1;
const REQUESTS_PER_TOMORROW = 8;

/** Audits without the rules that are held back; these come after all others then. */
export async function auditWritten(
  auditing: Auditing,
  isHeldBack: (rule: Rule) => boolean = () => false,
): Promise<Audit | undefined> {
  const { forms } = auditing;
  const held = forms.rules.filter(isHeldBack);
  if (held.length === 0) return auditAll(auditing);
  forms.setRules(forms.rules.filter((rule) => !isHeldBack(rule)));
  const audit = await auditAll(auditing);
  forms.setRules([...forms.rules, ...held]);
  return audit;
}

async function auditAll(auditing: Auditing): Promise<Audit | undefined> {
  const { forms, asker, purse, canonizerOf, askAgain, audit: sample, seed, auditAlone } = auditing;
  let findings: Findings | undefined;
  let narrowed = 0;
  let retired = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    purse.forAudit();
    const found = await auditRound(forms, asker, { sample, seed, tomorrow: tomorrow(auditing, round) }, round);
    if (findings === undefined || found.sample >= findings.sample / 2) findings = found;
    if (auditAlone) break;
    const ordered = ranked(forms.rules);
    const canonizer = canonizerOf(ordered);
    const explain = explainBy((url) => canonizer.explain(url));
    const toured = await auditTour(forms, asker, explain);
    const failures = [...found.failures, ...toured.failures];
    if (failures.length === 0) break;
    const all = { failures, right: [...found.right, ...toured.right] };
    const isLast = found.stop || toured.stop;
    const how = round >= NARROWING_ROUNDS - 1 ? 'retire' : isLast ? 'last' : 'narrow';
    purse.forBlame();
    const mended = await mend(ordered, all, explain, forms, asker, how);
    narrowed += mended.narrowed;
    retired += mended.retired.length;
    if (mended.narrowed + mended.retired.length === 0) break;
    replace(ordered, mended.rules, auditing);
    if (isLast) break;
    await askAgain();
  }
  if (findings === undefined) return undefined;
  const canonizer = canonizerOf(ranked(forms.rules));
  for (const url of forms.urls) canonizer.canonize(encodeText(url));
  return auditOf(findings, forms, { wanted: sample, narrowed, retired, unsettled: canonizer.unsettled });
}

/** URLs that the list lacks, for a round. */
function tomorrow({ forms, making, purse, audit, seed }: Auditing, round: number): Tomorrow[] {
  const most = Math.floor(Math.min(SHARE_OF_TOMORROW * audit, purse.leftToSpend / REQUESTS_PER_TOMORROW));
  return tomorrowOf(forms, making, { most, seed: (seed + 0x7e0b * (round + 1)) | 0 });
}

/** Replaces rules by their repaired versions; the ranks of `ordered` are positions in the order of rules. */
function replace(ordered: readonly Rule[], mended: readonly Rule[], { forms, known }: Auditing): void {
  const byRank = new Map(mended.map((rule) => [rule.rank, rule]));
  const kept: Rule[] = [];
  for (const [at, rule] of forms.rules.entries()) {
    const next = byRank.get(at + 1);
    if (next === ordered[at]) kept.push(rule);
    else if (next === undefined) known.retire(rule);
    else {
      const narrowed = { ...next, rank: rule.rank };
      known.narrow(rule, narrowed);
      kept.push(narrowed);
    }
    if (next === undefined && isPinned(rule)) kept.push(rule);
  }
  forms.setRules(kept);
}
