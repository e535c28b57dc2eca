// A Java file of one class: what a program calls, then the rules as a table, then the canonizer (`canonizer.ts`). Rules
// whose site cannot be determined without the public suffix list are left out.
import type { Rule } from '../../rule/rule.js';
import { headingLines } from '../heading.js';
import { hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import type { Exported, ExportRequest } from '../target.js';
import { canonizerInJava, IMPORTS } from './canonizer.js';
import { tableOf } from './table.js';

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
