// How does nginx say simple rules? As an administrator does, in the server block: `if` and `set`, and one `return`.
// Groups have names: nginx would escape $1, if there is a `%` or `+` in the path, though it is escaped already.
import { sayRule } from '../heading.js';
import { nameVariables } from '../named.js';
import type { Exported, ExportRequest } from '../target.js';
import { statusOf } from '../web-promise.js';
import { DOTS } from './form.js';
import { simpleRules, type SimpleEdit } from './rules.js';
import { simpleHeading } from './usage.js';

const usage = `Include this file in the server block that answers for the site, before its locations.
Behind a proxy that ends TLS, $scheme here has to become what the proxy says ($http_x_forwarded_proto).`;

export function writeSimpleNginx(request: ExportRequest): Exported {
  const rules = simpleRules(request);
  const heading = simpleHeading(request, usage, rules);
  const lines = rules.edits.length === 0 ? [] : linesOf(request, rules.edits);
  const all = nameVariables([...heading, '', ...lines], request);
  return { text: `${all.join('\n')}\n`, carried: rules.carried, left: rules.left };
}

function linesOf(request: ExportRequest, edits: readonly SimpleEdit[]): readonly string[] {
  const origin = '$scheme://$http_host';
  const [asked, to] =
    request.urlForm === 'path' ? ['$request_uri', `${origin}$dustbuster`] : [`${origin}$request_uri`, '$dustbuster'];
  return [
    `set $dustbuster_asked ${asked};`,
    'set $dustbuster $dustbuster_asked;',
    '',
    ...edits.flatMap(editLines),
    '',
    `if ($dustbuster ~ "${DOTS}") { set $dustbuster $dustbuster_asked; }`,
    'if ($request_method !~ "^(?:GET|HEAD)$") { set $dustbuster $dustbuster_asked; }',
    `if ($dustbuster != $dustbuster_asked) { return ${statusOf(request)} ${to}; }`,
  ];
}

function editLines({ rules, find, put }: SimpleEdit): readonly string[] {
  const names = put.includes(2) ? ['dust_before', 'dust_after'] : [put[0] === 1 ? 'dust_before' : 'dust_after'];
  const named = put.map((piece) => (typeof piece === 'number' ? `\${${names[piece - 1]}}` : piece)).join('');
  const value = named.replace(/\{(\w+)\}(?!\w)/g, '$1');
  return [
    ...rules.map((rule) => `# ${sayRule(rule)}`),
    `if ($dustbuster ~ "${withNames(find, names)}") { set $dustbuster "${value}"; }`,
  ];
}

/** The groups that capture, in order; what is escaped, or in a class, begins none. */
function withNames(find: string, names: readonly string[]): string {
  let group = 0;
  return find.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) =>
    found === '(' ? `(?<${names[group++]}>` : found,
  );
}
