// Tries lines for robots.txt on the log of a report, as `robots --propose` does. What is found decides whether there is
// anything to try, so the files are read again only then.
import type { Input } from '../../../log/bytes.js';
import type { ReadOptions } from '../../../log/read.js';
import { createCanonizer } from '../../../canonize/canonizer.js';
import type { ReportModel } from '../../../report/page/model.js';
import { candidatesOf } from '../../../report/robots-proposal.js';
import { RobotsRehearsal } from '../../../robots/rehearsal.js';
import type { RulesFile } from '../../../rule/rule.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { canReadAgain, readAgain } from './again.js';

/** What the log of a report was read from, and how. */
export interface LogSource {
  readonly inputs: readonly Input[];
  readonly reading: ReadOptions;
}

/**
 * The model with lines for robots.txt. All rules in use count as redirects, as the report proposes them. Visitors count
 * even if the report is about bots only.
 */
export async function withRobots(
  model: ReportModel,
  { normalization: normalize, urlForm, options: { site } }: RulesFile,
  { inputs, reading }: LogSource,
  { memoryBytes, maxIterations }: { readonly memoryBytes: number; readonly maxIterations: number },
): Promise<ReportModel> {
  const candidates = candidatesOf(model.log!);
  if (candidates.size === 0 || !inputs.every(canReadAgain)) return model;
  const rehearsal = new RobotsRehearsal(Buffer.alloc(0), { memoryBytes });
  const { bots: _, ...filters } = reading.filters ?? {};
  const asked = { ...reading, filters, visitors: false, clients: false, answers: false };
  for await (const _ of readAgain(inputs, asked, rehearsal.add));
  const rules = model.rules.flatMap(({ rule, isApplied }) => (isApplied ? [rule] : []));
  const { accept } = model.rulesFile;
  const canonizer = createCanonizer(rules, { normalize, accept, maxIterations, urlForm, sitePolicy: site });
  const siteOf = createSiteOf(site);
  const proposals = Array.from(candidates, ([own, some]) => ({
    site: own,
    ...rehearsal.propose(
      some,
      { formOf: (url) => canonizer.canonize(url) },
      (url) => siteOf(url, 0, url.length) === own,
    ),
  }));
  return { ...model, log: { ...model.log!, robots: { hasReferrers: rehearsal.log.hasReferrers, proposals } } };
}
