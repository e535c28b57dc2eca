// Rules as an ES module without imports, for browsers, edge workers and anything else that runs JavaScript:
//
//     const DUSTBUSTER_RULES = {"normalization":"safe", …,"rules":[
//     {"site":"example.com","kind":"substring","from":"index.html","to":"","anchor":"end"},
//     …]};
//     (the canonizer, as the build bundled it)
//
// It is the canonizer of `canonize` itself, so every rule is exported.
import { readPackageFile } from '../base/package-file.js';
import { printable } from '../base/bytes.js';
import { many } from '../base/amounts.js';
import { saying, suffixesOf } from '../rule/file.js';
import type { Rule } from '../rule/rule.js';
import type { EmbeddedRules } from './esm-runtime.js';
import type { Exported, ExportRequest, Target } from './target.js';

export const esm: Target = {
  name: 'esm',
  summary: 'an ES module without dependencies: import canonize, in browsers and edge workers',
  longLists: 'all',
  usage: `Put it where your code is, as canonize.js, and import it:

    import { canonize } from './canonize.js';
    canonize('http://www.example.com/index.html');

Text that is not a URL comes back unchanged. Bytes that are not UTF-8 are U+DC80 to U+DCFF in strings.`,
  write: (request) =>
    ({
      text: moduleOf(request, 'esm-runtime', [...USE, ...aboutKeysOf(request)]),
      carried: request.rules,
      left: [],
    }) satisfies Exported,
};

/** `runtime` is the path of the bundled code, without `.js`; `lines` are comments about what that code exports. */
export function moduleOf(request: ExportRequest, runtime: string, lines: readonly string[]): string {
  const { rules, normalization, urlForm, sitePolicy, maxIterations, source, generator } = request;
  const publicSuffixes = suffixesOf({ options: { site: sitePolicy }, rules });
  const how = { normalization, urlForm, site: sitePolicy, publicSuffixes, maxIterations, rules: [] };
  const inOrder = rules.toSorted((a, b) => a.rank - b.rank);
  const count = many(rules.length, 'rule');
  return [
    `// The canonical forms of URLs, by ${count} of ${printable(source)}. Made by ${printable(generator)}; MIT licence.`,
    ...lines.map((line) => `// ${line}`.trimEnd()),
    `const DUSTBUSTER_RULES = ${scriptJson(how satisfies EmbeddedRules).slice(0, -END.length)}`,
    ...inOrder.map((rule) => `${scriptJson(embedded(rule))},`),
    `${END};`,
    readPackageFile(`dist/bundle/export/${runtime}.js`),
  ].join('\n');
}

/** The line about keys, if any are in use. */
export function aboutKeysOf({ aboutKeys }: ExportRequest): readonly string[] {
  return aboutKeys === undefined ? [] : ['', aboutKeys];
}

const USE: readonly string[] = ["import { canonize } from './canonize.js';"];
const END = ']}';

/** The fields of `EmbeddedRule`. */
function embedded(rule: Rule): object {
  const { site, kind, only, not, except } = rule;
  return { site, kind, ...saying(rule), only, not, except };
}

/** JSON that can stand in a script inside HTML: nothing in it can end the script. */
function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
