// How does Varnish make edits? With `regsub` on the requested URL, and one synthetic redirect.
import { LONG, type Edit, type Edits, type Unit } from '../edits/edit.js';
import { sayRule } from '../heading.js';
import type { ExportRequest } from '../target.js';
import { REASONS, serverTarget, statusOf } from './promise.js';

const usage = `Include this file at the top of your VCL, behind the version: include "/etc/varnish/dustbuster.vcl";
The scheme comes from the header X-Forwarded-Proto: let your TLS proxy set it.`;

export const varnish = serverTarget({
  name: 'varnish',
  summary: 'VCL that redirects (301) to the canonical form',
  usage,
  linkUsage: usage,
  linesOf,
  named: (lines) => lines,
});

const url = 'req.http.X-Dustbuster';
const asked = 'req.http.X-Dustbuster-Asked';
const scheme = 'req.http.X-Dustbuster-Scheme';
const link = 'req.http.X-Dustbuster-Link';

function linesOf(request: ExportRequest, { units, guards }: Edits): readonly string[] {
  const isPath = request.urlForm === 'path';
  const origin = `${scheme} + "://" + req.http.host`;
  const [action, subs] = ending(request, isPath ? `${origin} + ${url}` : url);
  return [
    'sub vcl_recv {',
    `  set ${scheme} = "http";`,
    `  if (req.http.X-Forwarded-Proto == "https") { set ${scheme} = "https"; }`,
    `  set ${asked} = ${isPath ? '' : `${origin} + `}req.url;`,
    `  set ${url} = ${asked};`,
    '',
    `  if (${url} !~ "${LONG}") {`,
    ...units.flatMap(unitLines).map((line) => `    ${line}`),
    ...guards
      .filter((guard) => guard !== LONG)
      .map((guard) => `    if (${url} ~ "${guard}") { set ${url} = ${asked}; }`),
    '  }',
    `  if (req.method !~ "^(?:GET|HEAD)$") { set ${url} = ${asked}; }`,
    ...action.map((line) => `  ${line}`),
    `  unset ${url}; unset ${asked}; unset ${scheme};`,
    '}',
    '',
    ...subs,
  ];
}

/** The lines that use the form in vcl_recv, and the other subroutines that they need. */
function ending(request: ExportRequest, form: string): readonly [readonly string[], readonly string[]] {
  if (request.isLink === true) return announcing(form);
  const status = statusOf(request);
  return [
    [`if (${url} != ${asked}) { return (synth(750, "dustbuster")); }`],
    [
      'sub vcl_synth {',
      '  if (resp.status == 750 && resp.reason == "dustbuster") {',
      `    set resp.status = ${status};`,
      `    set resp.reason = "${REASONS[status]}";`,
      `    set resp.http.Location = ${form};`,
      '    return (deliver);',
      '  }',
      '}',
    ],
  ];
}

/** The header is not sent to the backend and not stored in a cached object: many URLs can share one object. */
function announcing(form: string): readonly [readonly string[], readonly string[]] {
  const said = `"<" + ${link} + {">; rel="canonical""}`;
  return [
    [`unset ${link};`, `if (${url} != ${asked} && ${url} !~ {"[<>"]"}) { set ${link} = ${form}; }`],
    [
      'sub vcl_backend_fetch { unset bereq.http.X-Dustbuster-Link; }',
      '',
      'sub vcl_deliver {',
      `  if (${link} && resp.status == 200) {`,
      `    if (resp.http.Link) { set resp.http.Link = resp.http.Link + ", " + ${said}; }`,
      `    else { set resp.http.Link = ${said}; }`,
      '  }',
      '}',
    ],
  ];
}

function unitLines({ rules, edits }: Unit): readonly string[] {
  return [...rules.map((rule) => `# ${sayRule(rule)}`), ...edits.map(editLine)];
}

function editLine({ find, put }: Edit): string {
  const value = put.map((piece) => (typeof piece === 'number' ? `\\${piece}` : piece)).join('');
  return `if (${url} ~ "${find}") { set ${url} = regsub(${url}, "${find}", "${value}"); }`;
}
