// Does a parameter stand in paths (`/a;jsessionid=1/b`) or in queries? A rule for it holds in both; what its log had is
// in its examples and in the samples of its verdict.
import type { ParameterRule } from '../rule/rule.js';

/** The reason to leave a rule out of an export that sees queries only. */
export const ONLY_IN_PATHS = 'is about a parameter that stands in paths, and only queries are read there';

export function isInPaths(rule: ParameterRule): boolean {
  return urlsOf(rule).some((url) => pathOf(url).includes(`;${rule.name}=`));
}

/** True if software that sees queries only would change none of the rule's own examples. */
export function isOnlyInPaths(rule: ParameterRule): boolean {
  return isInPaths(rule) && urlsOf(rule).every((url) => pathOf(url).includes(`;${rule.name}=`));
}

function urlsOf({ examples, verdict }: ParameterRule): readonly string[] {
  return [...examples, ...(verdict?.positives ?? [])].map(([url]) => url);
}

function pathOf(url: string): string {
  return url.replace(/\?.*/s, '');
}
