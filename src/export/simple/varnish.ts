// How does Varnish say simple rules? As `regsub` of the URL that was asked for, and one synthetic redirect.
import { sayRule } from '../heading.js';
import type { Exported, ExportRequest } from '../target.js';
import { REASONS, statusOf } from '../web-promise.js';
import { DOTS } from './form.js';
import { simpleRules, type SimpleEdit } from './rules.js';
import { simpleHeading } from './usage.js';

const usage = `Include this file at the top of your VCL, behind the version: include "/etc/varnish/dustbuster.vcl";
The scheme is https where X-Forwarded-Proto says so: have your TLS proxy set it.`;

export function writeSimpleVarnish(request: ExportRequest): Exported {
  const rules = simpleRules(request);
  const heading = simpleHeading(request, usage, rules);
  const lines = rules.edits.length === 0 ? [] : linesOf(request, rules.edits);
  return { text: `${[...heading, '', ...lines].join('\n')}\n`, carried: rules.carried, left: rules.left };
}

const url = 'req.http.X-Dustbuster';
const asked = 'req.http.X-Dustbuster-Asked';
const scheme = 'req.http.X-Dustbuster-Scheme';

function linesOf(request: ExportRequest, edits: readonly SimpleEdit[]): readonly string[] {
  const status = statusOf(request);
  const isPath = request.urlForm === 'path';
  const origin = `${scheme} + "://" + req.http.host`;
  return [
    'sub vcl_recv {',
    `  set ${scheme} = "http";`,
    `  if (req.http.X-Forwarded-Proto == "https") { set ${scheme} = "https"; }`,
    `  set ${asked} = ${isPath ? '' : `${origin} + `}req.url;`,
    `  set ${url} = ${asked};`,
    '',
    ...edits.flatMap(editLines).map((line) => `  ${line}`),
    '',
    `  if (${url} ~ "${DOTS}" || req.method !~ "^(?:GET|HEAD)$") { set ${url} = ${asked}; }`,
    `  if (${url} != ${asked}) { return (synth(750, "dustbuster")); }`,
    `  unset ${url}; unset ${asked}; unset ${scheme};`,
    '}',
    '',
    'sub vcl_synth {',
    '  if (resp.status == 750 && resp.reason == "dustbuster") {',
    `    set resp.status = ${status};`,
    `    set resp.reason = "${REASONS[status]}";`,
    `    set resp.http.Location = ${isPath ? `${origin} + ` : ''}${url};`,
    '    return (deliver);',
    '  }',
    '}',
  ];
}

function editLines({ rules, find, put }: SimpleEdit): readonly string[] {
  const value = put.map((piece) => (typeof piece === 'number' ? `\\${piece}` : piece)).join('');
  return [
    ...rules.map((rule) => `# ${sayRule(rule)}`),
    `if (${url} ~ "${find}") { set ${url} = regsub(${url}, "${find}", "${value}"); }`,
  ];
}
