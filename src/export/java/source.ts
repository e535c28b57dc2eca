// A Java file of one class: what a program calls, then the rules as a table, then the canonizer (`canonizer.ts`). Rules
// whose site cannot be determined without the public suffix list are left out.
import { encodeText } from '../../base/bytes.js';
import { maxFormBytes } from '../../canonize/limits.js';
import { headingLines } from '../heading.js';
import { IMPORTS, canonizerInJava } from './canonizer.js';
import { SUFFIXES_BELOW, hasSubdomains, hasSuffixesBelow } from '../public-suffixes.js';
import type { ExportRequest, Exported } from '../target.js';
import { spelledRule } from '../../rule/apply.js';
import type { Condition, Rule } from '../../rule/rule.js';

export interface JavaClass {
  /** Declaration without `public`, such as `class Name implements Other`. */
  readonly declaration: string;
  readonly imports: readonly string[];
  /** Members that call `canonize(String)`. */
  readonly members: string;
  readonly usage: string;
}

export function writeClass(request: ExportRequest, { declaration, imports, members, usage }: JavaClass): Exported {
  const isUnsaid = ({ site }: Rule) => hasSuffixesBelow(site, request.sitePolicy);
  const carried = request.rules.filter((rule) => !isUnsaid(rule));
  const left = request.rules.filter(isUnsaid).map((rule) => ({ rule, reason: SUFFIXES_BELOW }));
  const text = `/*
${headingLines(request, usage, left).map(commentLine).join('\n')}
 */
${[...IMPORTS, ...imports]
  .sort()
  .map((name) => `import ${name};`)
  .join('\n')}

public final ${declaration} {
${members.replace(/^\n+|\n+$/g, '')}

  private static final Canonizer CANONIZER = new Canonizer(String.join("", rules()));

  /** The canonical form of a URL. Text that is not a URL comes back unchanged. */
  public static String canonize(String url) {
    return CANONIZER.canonize(url);
  }

  /** In rank order. */
  private static String[] rules() {
    return new String[] {
${constantsOf(tableOf(request, carried)).join(',\n')}
    };
  }
${canonizerInJava}}
`;
  return { text, carried, left };
}

/** Java reads a backslash and a `u` as a character, even in comments. */
function commentLine(line: string): string {
  return ` * ${line.replaceAll('\\u', 'U+')}`.trimEnd();
}

/** A constant has at most 65,535 bytes. */
const maxConstant = 60_000;

function constantsOf(table: readonly string[]): readonly string[] {
  const constants: string[][] = [];
  let room = 0;
  for (const line of table) {
    room -= line.length + 1;
    if (room < 0) {
      constants.push([]);
      room = maxConstant - line.length;
    }
    constants.at(-1)!.push(`"${line}\\n"`);
  }
  return constants.map((lines) => `      ${lines.join('\n          + ')}`);
}

// The table of rules that the Java class reads: one rule a line, with spaces between words. Bytes that are not printable
// ASCII, and `` ` " \ ~ ``, become ~ and two hex digits, so no text of a log can end a line, a word or a string.
//
//     how safe absolute domain 10 4096            normalization, form of URLs, sites, rounds, bytes of a form
//     site example.com below                      a site; `below` if its rules hold for the hosts below it
//     substring * end /index.html /               site, anchor, from, to
//     parameter example.com site  remove sid      site, scope, path, action, name, value
//     step * drop-segment print                   site, step, text
//     … only first feed not depth 3 except http://example.com/   where a rule holds

/** Expects rules whose site can be determined without the public suffix list. */
export function tableOf(request: ExportRequest, rules: readonly Rule[]): readonly string[] {
  const { normalization, urlForm, sitePolicy, maxIterations } = request;
  const sites = [...new Set(rules.map(({ site }) => site))];
  return [
    `how ${normalization} ${urlForm} ${sitePolicy} ${maxIterations} ${maxFormBytes}`,
    ...sites.map((site) => ['site', word(site), hasSubdomains(site) ? 'below' : 'only'].join(' ')),
    ...rules
      .map((rule) => (normalization === 'safe' ? { ...spelledRule(rule), site: rule.site } : rule))
      .flatMap(inParts)
      .map(lineOf),
  ];
}

/** A line has to fit into a constant, so a rule for thousands of hosts becomes several, each for some. */
function inParts(rule: Rule): Rule[] {
  const parts: Condition[][] = [];
  let room = 0;
  for (const condition of rule.only ?? []) {
    room -= String(condition.is).length + 12;
    if (room < 0) {
      parts.push([]);
      room = MOST_OF_PART;
    }
    parts.at(-1)!.push(condition);
  }
  return parts.length < 2 ? [rule] : parts.map((only) => ({ ...rule, only }));
}

/** As escapes take three bytes. */
const MOST_OF_PART = 15_000;

function lineOf(rule: Rule): string {
  return [...wordsOf(rule), ...placesOf(rule)].map((one) => word(one)).join(' ');
}

function wordsOf(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'substring':
      return [rule.kind, rule.site, rule.anchor, rule.from, rule.to];
    case 'parameter': {
      const action = rule.action === 'set' && rule.value === null ? 'bare' : rule.action;
      return [rule.kind, rule.site, rule.scope, rule.path, action, rule.name, action === 'set' ? rule.value! : ''];
    }
    case 'step':
      return [rule.kind, rule.site, rule.step, rule.text];
    case 'pattern':
      throw new Error('the table has no patterns');
    default:
      return rule satisfies never;
  }
}

function placesOf({ only = [], not = [], except = [] }: Rule): readonly string[] {
  return [
    ...only.flatMap(({ part, is }) => ['only', part, String(is)]),
    ...not.flatMap(({ part, is }) => ['not', part, String(is)]),
    ...except.flatMap((url) => ['except', url]),
  ];
}

function word(text: string): string {
  return Array.from(encodeText(text), (byte) => {
    const char = String.fromCharCode(byte);
    return /[!#-[\]-}]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
