// Makes the request for an export from the rules in use.
import { basename } from 'node:path';
import { many } from '../../../base/amounts.js';
import { UserError } from '../../../base/error.js';
import type { CanonizerOptions } from '../../../canonize/canonizer.js';
import { scopeOf } from '../../../export/scope.js';
import type { ExportRequest, LeftOut, RedirectStatus, Target } from '../../../export/target.js';
import { heldWords } from '../../../report/rule-words.js';
import { passedOn } from '../../../rule/passed-on.js';
import type { Rule } from '../../../rule/rule.js';
import { isKey, isToBeProved, usedAs } from '../../../rule/standing.js';
import { packageVersion } from '../../version.js';

interface ServerFlags {
  readonly status?: RedirectStatus;
  readonly link?: boolean;
  /** The name of one of several exports for a server. */
  readonly called?: string;
}

interface RulesToExport {
  readonly rules: readonly Rule[];
  /** The rules and those that are only keys, for software that writes no URLs. */
  readonly keyed?: readonly Rule[] | undefined;
  /** Rules about parameters that may mean money or choice (`url/names`), which exports leave out. */
  readonly held?: readonly Rule[];
  readonly options: CanonizerOptions;
  /** All rules of the file; their examples are URLs of the log. */
  readonly examples?: readonly Rule[];
}

export function exportRequest(
  name: string,
  { keyed, held = [], options: how, ...given }: RulesToExport,
  { status, link, called }: ServerFlags,
  target: Pick<Target, 'isKey' | 'redirects'> = {},
): ExportRequest {
  const isForKeys = target.isKey === true;
  const all = isForKeys && keyed !== undefined ? keyed.map(asWriting) : given.rules;
  const unproven = target.redirects === true ? all.filter(isToBeProved) : [];
  const rules = unproven.length === 0 ? all : all.filter((rule) => !isToBeProved(rule));
  const { examples = rules } = given;
  const takenOut = [...(isForKeys ? [] : held.map(leftOutOf)), ...unproven.map((rule) => ({ rule, reason: TO_PROVE }))];
  const keys = (keyed ?? []).filter(isKey).length;
  const scope = scopeOf(rules, examples, how);
  return {
    rules: rules.flatMap((rule) => passedOn(rule) ?? []).sort((a, b) => a.rank - b.rank),
    normalization: how.normalize,
    urlForm: how.urlForm,
    sitePolicy: how.sitePolicy,
    maxIterations: how.maxIterations,
    ...(scope !== undefined && { scope }),
    source: name === '-' ? 'standard input' : basename(name),
    generator: `dustbuster ${packageVersion()}`,
    ...(status !== undefined && { status }),
    ...(link === true && { isLink: true }),
    ...(called !== undefined && { name: called }),
    ...(takenOut.length > 0 && { takenOut }),
    ...(keys > 0 && { aboutKeys: isForKeys ? keysUsed(keys) : keysLeftOut(keys) }),
  };
}

/** A wrong redirect hides a page, so software that redirects gets no rule that the log alone cannot be sure of. */
const TO_PROVE = 'only pages can prove it (dustbuster validate); pin writes it';

function keysUsed(count: number): string {
  return `${count} of the rules ${count === 1 ? 'is only a key' : 'are only keys'}: ${count === 1 ? 'it says' : 'they say'} which URLs are one page, and no URL is written by ${count === 1 ? 'it' : 'them'}.`;
}

function keysLeftOut(count: number): string {
  return `${many(count, 'rule')} that ${count === 1 ? 'is only a key is' : 'are only keys are'} not used: this writes addresses, and nobody knows whether theirs answer.`;
}

/** For software that writes no URLs, a key is as good as a rule that writes. */
function asWriting(rule: Rule): Rule {
  return usedAs(rule, {});
}

function leftOutOf(rule: Rule): LeftOut {
  return { rule, reason: heldWords(rule) ?? 'is only a key' };
}

/** Throws a UserError for options of servers with other targets, and for a link together with a redirect status. */
export function refuseForServers({ name, isServer }: Target, { status, link }: ServerFlags): void {
  const given = [...(link === true ? ['--link'] : []), ...(status === undefined ? [] : [`--status ${status}`])];
  if (given.length > 0 && isServer !== true) {
    const does = link === true ? 'sends no headers' : 'sends no redirects';
    throw new UserError(`got ${given[0]!} for ${name}, which ${does}; expected it with nginx, apache or varnish`);
  }
  if (link === true && given.length > 1) {
    throw new UserError(`got --link and ${given[1]!}; expected either: with --link nothing is redirected`);
  }
}
