// What does an expression consist of, and for which software is it written? (`expression` compiles rules to them.)
import type { Normalization, SitePolicy, UrlForm } from '../rule/rule.js';
import type { Dialect } from './dialect.js';

export interface Step {
  /** Begins with `^` and has one capturing group. */
  readonly find: string;
  /** What follows the group afterwards, instead of the rest of the match: text as decoded by `base/bytes`. */
  readonly put: string;
  /** To repeat until it finds nothing more; each time it removes something. */
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
   * The URLs that the software has. `any`: lines that may be of either form. Rules of path form do not work with
   * `absolute`.
   */
  readonly urls: 'absolute' | 'path' | 'any';
}
