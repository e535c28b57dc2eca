// Clean-param lines of robots.txt, for Yandex: each names parameters that do not matter in paths with a given prefix.
// The robot removes them from the URLs of the host whose robots.txt it reads.
//
//     Clean-param: sid&ref /forum/
//
// A line holds at most 500 characters; a prefix consists of letters, digits and `.-/_` (`*` matches anything, and is
// implied after each prefix). The directive stands outside of the groups of User-agent. (Yandex Webmaster, help on the
// Clean-param directive.)
//
// It can only remove whole parameters, for all hosts or for paths with a prefix, so substring rules are left out. So
// are rules that would have to run after other rules: the robot applies the lines to URLs as they are requested.
import { groupBy } from '../base/group-by.js';
import type { ParameterRule, Rule } from '../rule/rule.js';
import { isOnlyInPaths, ONLY_IN_PATHS } from './in-paths.js';
import { headingLines } from './heading.js';
import type { ExportRequest, Exported, LeftOut, Target } from './target.js';

const usage = `Lines for the robots.txt of the site, for Yandex: put them anywhere in it, outside the groups of User-agent.
Each host has its own robots.txt; the comment before the lines names the host or site that needs all of them. The
fields of a query are assumed to be separated by &: how the robot reads other separators and empty fields is not
documented.`;

const maxLine = 500;

export const cleanParam: Target = {
  name: 'clean-param',
  summary: 'Clean-param lines for robots.txt, which Yandex reads',
  usage,
  write: writeLines,
};

interface Directive {
  readonly site: string;
  /** The host, for a rule that holds on one host only. */
  readonly host: string;
  readonly name: string;
  readonly prefix: string;
}

function writeLines(request: ExportRequest): Exported {
  const carried: Rule[] = [];
  const left: LeftOut[] = [];
  const directives: Directive[] = [];
  for (const rule of request.rules) {
    const said = directiveOf(rule);
    if (typeof said === 'string') {
      left.push({ rule, reason: said });
    } else {
      carried.push(rule);
      directives.push(said);
    }
  }
  const heading = headingLines(request, usage, left).map((line) => `# ${line}`.trimEnd());
  const lines = Array.from(byHost(directives), ([host, of]) => ['', `# ${host}`, ...linesOf(of)]);
  return { text: [...heading, ...lines.flat(), ''].join('\n'), carried, left };
}

function directiveOf(rule: Rule): Directive | string {
  if (rule.kind !== 'parameter') return 'Clean-param takes parameters only';
  if (rule.action !== 'remove') return 'Clean-param takes parameters out, and sets none';
  if (rule.only !== undefined || rule.not !== undefined) return 'Clean-param has no conditions but the begin of a path';
  if ((rule.except ?? []).length > 0) return 'Clean-param has no exceptions';
  if (rule.scope === 'path') return 'Clean-param takes every path that begins alike';
  if (isOnlyInPaths(rule)) return ONLY_IN_PATHS;
  if (!/^[0-9A-Za-z_.~[\]%-]+$/.test(rule.name)) return 'has a name with characters that Clean-param may not accept';
  const { host, path } = placeOf(rule);
  if (!/^[0-9A-Za-z./_-]*$/.test(path)) return 'Clean-param takes letters, digits and .-/_ in a path only';
  if (`Clean-param: ${rule.name} ${path}`.length > maxLine) return 'is too long for a line of 500 characters';
  return { site: rule.site, host, name: rule.name, prefix: path };
}

function placeOf({ path }: ParameterRule): { readonly host: string; readonly path: string } {
  const [, host = '', rest = path] = /^\/\/([^/]*)(.*)$/.exec(path) ?? [];
  return { host, path: rest === '/' ? '' : rest };
}

const EVERY_SITE = 'every site';

/** For each host (or site), all directives that its robots.txt needs, including those of its site and of every site. */
function byHost(directives: readonly Directive[]): ReadonlyMap<string, readonly Directive[]> {
  const places = new Map(directives.map((one, at) => [one, at]));
  const named = groupBy(directives, nameOf);
  const ofSites = groupBy(
    directives.filter(({ host }) => host === ''),
    ({ site }) => site,
  );
  const of = (name: string) => {
    const own = new Set([name, EVERY_SITE]);
    const found = [...own].flatMap((one) => named.get(one) ?? []);
    const above = domainsAbove(name).flatMap((site) => ofSites.get(site) ?? []);
    return [...found, ...above].sort((a, b) => places.get(a)! - places.get(b)!);
  };
  return new Map(Array.from(named.keys(), (name) => [name, withoutRepeated(of(name))]));
}

function domainsAbove(name: string): readonly string[] {
  return Array.from(name.matchAll(/\./g), ({ index }) => name.slice(index + 1));
}

/** Heading of the group that a directive belongs to; `every site` for a rule of all sites. */
function nameOf({ host, site }: Directive): string {
  if (/^[0-9A-Za-z.:_-]+$/.test(host || site)) return host || site;
  return site === '*' ? EVERY_SITE : 'this site';
}

/** Drops a directive if a shorter prefix with the same name already covers its paths. */
function withoutRepeated(directives: readonly Directive[]): readonly Directive[] {
  const said = new Set<Directive>();
  for (const same of groupBy(directives, ({ name }) => name).values()) {
    // After sorting, every prefix is directly followed by the prefixes that begin with it.
    const sorted = same.toSorted((a, b) => (a.prefix < b.prefix ? -1 : Number(a.prefix > b.prefix)));
    let last: Directive | undefined;
    for (const one of sorted) {
      if (last !== undefined && one.prefix.startsWith(last.prefix)) continue;
      said.add(one);
      last = one;
    }
  }
  return directives.filter((one) => said.has(one));
}

/** Names with the same prefix share lines, up to their maximum length. */
function linesOf(directives: readonly Directive[]): readonly string[] {
  const lines: string[] = [];
  const openLine = new Map<string, number>();
  for (const { name, prefix } of directives) {
    const end = prefix === '' ? '' : ` ${prefix}`;
    const at = openLine.get(prefix);
    const longer = at === undefined ? '' : `${lines[at]!.slice(0, lines[at]!.length - end.length)}&${name}${end}`;
    if (at !== undefined && longer.length <= maxLine) {
      lines[at] = longer;
    } else {
      openLine.set(prefix, lines.push(`Clean-param: ${name}${end}`) - 1);
    }
  }
  return lines;
}
