// What does an expression consist of, and for which software is it written? (`expression` says how a rule becomes one.)
import type { Normalization, SitePolicy, UrlForm } from '../rule/rule.js';
import type { Dialect } from './dialect.js';

export interface Step {
  /** Begins with `^` and has one capturing group. */
  readonly find: string;
  /** What stands behind the group afterwards, in place of the rest of the match: text as `base/bytes` decodes it. */
  readonly put: string;
  /** To be done until it finds nothing more; each time it takes something away. */
  readonly repeat: boolean;
}

export interface Expression {
  readonly kind: 'steps';
  readonly steps: readonly Step[];
}

export interface Unsaid {
  readonly kind: 'left';
  /** As in `LeftOut` of target.ts. */
  readonly reason: string;
}

export interface ExpressionOptions {
  readonly dialect: Dialect;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
  readonly normalization: Normalization;
  /**
   * What the software has in hand. `any`: lines that may be of either form. Rules of path form cannot take `absolute`.
   */
  readonly urls: 'absolute' | 'path' | 'any';
}
