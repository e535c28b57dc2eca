// Which rules can be exported to a target with regular expressions? Those that it can express and that need no memory
// of earlier forms.
import { carriable } from './carry.js';
import { ELSEWHERE, leadsElsewhere } from './elsewhere.js';
import { expressionOf } from './expression.js';
import type { ExpressionOptions, Step } from './step.js';
import { leadsToRedirect } from '../rule/redirecting.js';
import type { Rule, UrlForm } from '../rule/rule.js';
import type { ExportRequest, LeftOut } from './target.js';

export interface Said {
  readonly rule: Rule;
  readonly steps: readonly Step[];
}

export interface Expressible {
  readonly said: readonly Said[];
  /** In rank order. */
  readonly left: readonly LeftOut[];
}

export interface ExpressibleOptions extends Pick<ExpressionOptions, 'dialect' | 'urls'> {
  /** As for `carriable`. */
  readonly isBounded: boolean;
  /** True for a target that redirects people to the form. */
  readonly isRedirected?: boolean;
  /** Why a step cannot be written, if so. */
  readonly refuse?: (step: Step) => string | undefined;
}

export function expressible(request: ExportRequest, options: ExpressibleOptions): Expressible {
  const { urlForm, sitePolicy, normalization } = request;
  const said: Said[] = [];
  const unsaid: LeftOut[] = [];
  for (const rule of request.rules) {
    const risk = options.isRedirected === true ? riskOf(rule, urlForm) : undefined;
    if (risk !== undefined) {
      unsaid.push({ rule, reason: risk });
      continue;
    }
    const expression = expressionOf(rule, { ...options, urlForm, sitePolicy, normalization });
    const reason = expression.kind === 'left' ? expression.reason : reasonOf(expression.steps, options.refuse);
    if (expression.kind === 'left' || reason !== undefined) unsaid.push({ rule, reason: reason ?? '' });
    else said.push({ rule, steps: expression.steps });
  }
  const { carried, left } = carriable(said, options);
  return { said: carried, left: [...unsaid, ...left].sort((a, b) => a.rule.rank - b.rule.rank) };
}

/** Why people should not be redirected by the rule, if so. */
export function riskOf(rule: Rule, urlForm: UrlForm): string | undefined {
  if (leadsToRedirect(rule)) return 'has a sample that redirects where the rule leads';
  return urlForm !== 'path' && leadsElsewhere(rule) ? ELSEWHERE : undefined;
}

function reasonOf(steps: readonly Step[], refuse: ExpressibleOptions['refuse']): string | undefined {
  if (refuse === undefined) return undefined;
  for (const step of steps) {
    const reason = refuse(step);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
