// The code of a module that `export --to esm` writes: bundled by the build, it follows a line that defines
// DUSTBUSTER_RULES (`esm.ts`). Nothing here needs Node.
import { createTextCanonizer } from '../canonize/text.js';
import type { ParameterRule, Rule, RulesFile, StepRule, SubstringRule } from '../rule/rule.js';
import { createDomainOf } from '../url/registrable-domain.js';
import { createSiteFinder, type SitePolicy } from '../url/site-finder.js';

/** The fields of a rule that define what it does. */
export type EmbeddedRule =
  | Pick<SubstringRule, Everywhere | 'from' | 'to' | 'anchor'>
  | Pick<ParameterRule, Everywhere | 'name' | 'action' | 'value' | 'scope' | 'path'>
  | Pick<StepRule, Everywhere | 'step' | 'text'>;

type Everywhere = 'site' | 'kind' | 'only' | 'not' | 'except';

export interface EmbeddedRules extends Pick<RulesFile, 'normalization' | 'urlForm'> {
  readonly site: SitePolicy;
  readonly publicSuffixes: readonly string[];
  readonly maxIterations: number;
  /** In rank order. */
  readonly rules: readonly EmbeddedRule[];
}

declare const DUSTBUSTER_RULES: EmbeddedRules;

const { normalization, urlForm, site, publicSuffixes, maxIterations } = DUSTBUSTER_RULES;
// Every rule is in use here, even one that adds text. The evidence is left out, as it is not needed to apply a rule.
const rules = DUSTBUSTER_RULES.rules.map(
  (rule, at) => ({ ...rule, rank: at + 1, status: 'valid', pin: true }) as unknown as Rule,
);
const siteOf = createSiteFinder(site, createDomainOf(publicSuffixes));
const canonizer = createTextCanonizer({ rules, normalization, urlForm, options: { site } }, siteOf, {
  maxIterations,
});

export const { canonize } = canonizer;
export default canonize;
