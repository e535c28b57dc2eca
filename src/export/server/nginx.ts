// How does nginx make edits? In the server block, as an administrator would write it: `if` and `set`, and one `return`.
// Groups have names because nginx escapes $1 a second time if the path has a `%` or `+`.
import type { Edit, Edits, Unit } from '../edits/edit.js';
import { sayRule } from '../heading.js';
import type { ExportRequest } from '../target.js';
import { nameVariables } from './named.js';
import { serverTarget, statusOf, UNNAMED } from './promise.js';

const usage = `Include this file in the server block that answers for the site, before its locations.
Behind a proxy that ends TLS, replace $scheme by the proxy's header ($http_x_forwarded_proto).`;

const linkUsage = `${usage}
A location with add_header lines of its own needs this one too: add_header Link $dustbuster_link;`;

export const nginx = serverTarget({
  name: 'nginx',
  summary: 'lines for the server block, for one redirect (301) to the canonical form',
  usage,
  linkUsage,
  linesOf,
  named: nameVariables,
});

const leave = '{ set $dustbuster $dustbuster_asked; }';

function linesOf(request: ExportRequest, { units, guards }: Edits): readonly string[] {
  const origin = '$scheme://$http_host';
  const isPath = request.urlForm === 'path';
  return [
    `set $dustbuster_asked ${isPath ? '$request_uri' : `${origin}$request_uri`};`,
    'set $dustbuster $dustbuster_asked;',
    '',
    ...units.flatMap(unitLines),
    '',
    ...guards.map((guard) => `if ($dustbuster ~ "${guard}") ${leave}`),
    `if ($request_method !~ "^(?:GET|HEAD)$") ${leave}`,
    ...ending(request, isPath ? `${origin}$dustbuster` : '$dustbuster'),
  ];
}

/** With `isLink`, the header stays empty if nothing changed; nginx does not send an empty header. */
function ending(request: ExportRequest, to: string): readonly string[] {
  if (request.isLink !== true) return [`if ($dustbuster != $dustbuster_asked) { return ${statusOf(request)} ${to}; }`];
  return [
    `if ($dustbuster ~ "${UNNAMED}") ${leave}`,
    'set $dustbuster_link "";',
    `if ($dustbuster != $dustbuster_asked) { set $dustbuster_link '<${to}>; rel="canonical"'; }`,
    'add_header Link $dustbuster_link;',
  ];
}

function unitLines({ rules, edits }: Unit): readonly string[] {
  return [...rules.map((rule) => `# ${sayRule(rule)}`), ...edits.map(editLine)];
}

function editLine({ find, put }: Edit): string {
  const groups = put.filter((piece) => typeof piece === 'number').length;
  const isBefore = groups > 1 || typeof put[0] === 'number';
  const names = ['dust_before', 'dust_after', 'dust_rest'].slice(isBefore ? 0 : 1);
  const named = put.map((piece) => (typeof piece === 'number' ? `\${${names[piece - 1]}}` : piece)).join('');
  const value = named.replace(/\{(\w+)\}(?!\w)/g, '$1');
  return `if ($dustbuster ~ "${withNames(find, names)}") { set $dustbuster "${value}"; }`;
}

/** Names the capturing groups, in order; skips escapes and classes. */
function withNames(find: string, names: readonly string[]): string {
  let group = 0;
  return find.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) =>
    found === '(' ? `(?<${names[group++]}>` : found,
  );
}
