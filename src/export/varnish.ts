// How does Varnish apply rules? A subroutine is one round: for each step of a rule
//
//     if (req.http.X-Dustbuster ~ "^(.*?)/index\.html") {
//       set req.http.X-Dustbuster = regsub(req.http.X-Dustbuster, "^(.*?)/index\.html", "\1" + "/");
//     }
//
// (`set` uses up the workspace of the request, so it is done only if there is a match.) VCL has no loops, but a
// subroutine can be called again: as many times as there may be rounds, until one changes nothing. A URL is given up by
// making the header empty.
import type { Rule } from '../rule/rule.js';
import { chunksOf, gateOf, type Chunk } from './chunks.js';
import { pcre } from './dialect.js';
import { expressible, type Said } from './expressible.js';
import { writeSimpleVarnish } from './simple/varnish.js';
import type { Step } from './step.js';
import { headingLines, sayRule } from './heading.js';
import { notNormalPattern } from './normal-pattern.js';
import type { Exported, ExportRequest, Target } from './target.js';
import { linkPromise, maxTimes, REASONS, statusOf, webPromise, withStatus } from './web-promise.js';

const usage = `Include this file at the top of your VCL, behind the version: include "/etc/varnish/dustbuster.vcl";
${webPromise}
So is a URL of more than 1,500 bytes. The scheme is https where X-Forwarded-Proto says so: have your TLS proxy set it.
For one cached object instead of a redirect, take vcl_recv and vcl_synth below out and in your own say
  call dustbuster; if (req.http.X-Dustbuster) { set req.url = regsub(req.http.X-Dustbuster, "^https?://[^/]*", ""); }
A wrong rule then serves one page for another, so use validated rules only (no --accept likely).`;

const linkUsage = `Include this file at the top of your VCL, behind the version: include "/etc/varnish/dustbuster.vcl";
${linkPromise}
So is a URL of more than 1,500 bytes. The scheme is https where X-Forwarded-Proto says so: have your TLS proxy set it.`;

export const varnish: Target = {
  name: 'varnish',
  summary: 'VCL that redirects (301) to the canonical form, or keys the cache by it; use validated rules only',
  usage,
  isServer: true,
  write: (request) => (request.isSimple === true ? writeSimpleVarnish(request) : write(request)),
};

/** The search of an expression in a longer URL may take more steps than pcre2_match_limit allows, which gives a 503. */
const mostBytes = 1500;

const url = 'req.http.X-Dustbuster';
const given = 'req.http.X-Dustbuster-Given';
const last = 'req.http.X-Dustbuster-Last';

function write(request: ExportRequest): Exported {
  const urls = request.urlForm === 'path' ? 'path' : 'absolute';
  const { said, left } = expressible(request, { dialect: pcre, urls, isBounded: true, isRedirected: true });
  const use = request.isLink === true ? linkUsage : withStatus(usage, request);
  const comment = headingLines(request, use, left).map((line) => `# ${line}`.trimEnd());
  const none = ['sub vcl_recv { call dustbuster; }', '', 'sub dustbuster { unset req.http.X-Dustbuster; }'];
  const subs =
    said.length === 0
      ? none
      : [
          ...(request.isLink === true ? announce(request) : recv(request)),
          '',
          ...all(request),
          '',
          ...round(request, said),
        ];
  const lines = [...comment, '', ...subs];
  return { text: `${lines.join('\n')}\n`, carried: said.map(({ rule }) => rule), left };
}

function recv(request: ExportRequest): readonly string[] {
  const status = statusOf(request);
  const origin = request.urlForm === 'path' ? 'req.http.X-Dustbuster-Origin + ' : '';
  return [
    'sub vcl_recv {',
    '  if (req.method == "GET" || req.method == "HEAD") {',
    '    call dustbuster;',
    `    if (${url} && ${url} != ${given}) { return (synth(750, "dustbuster")); }`,
    '  }',
    `  unset ${url}; unset ${given}; unset ${last}; unset req.http.X-Dustbuster-Origin;`,
    '}',
    '',
    'sub vcl_synth {',
    '  if (resp.status == 750 && resp.reason == "dustbuster") {',
    `    set resp.status = ${status};`,
    `    set resp.reason = "${REASONS[status]}";`,
    `    set resp.http.Location = ${origin}${url};`,
    '    return (deliver);',
    '  }',
    '}',
  ];
}

/** The header goes neither to the backend nor into a cached object: one object can be asked for by many URLs. */
function announce({ urlForm }: ExportRequest): readonly string[] {
  const origin = urlForm === 'path' ? 'req.http.X-Dustbuster-Origin + ' : '';
  const link = `"<" + req.http.X-Dustbuster-Link + {">; rel="canonical""}`;
  return [
    'sub vcl_recv {',
    '  unset req.http.X-Dustbuster-Link;',
    '  if (req.method == "GET" || req.method == "HEAD") {',
    '    call dustbuster;',
    `    if (${url} && ${url} != ${given} && ${url} !~ {"[<>"]"}) {`,
    `      set req.http.X-Dustbuster-Link = ${origin}${url};`,
    '    }',
    '  }',
    `  unset ${url}; unset ${given}; unset ${last}; unset req.http.X-Dustbuster-Origin;`,
    '}',
    '',
    'sub vcl_backend_fetch { unset bereq.http.X-Dustbuster-Link; }',
    '',
    'sub vcl_deliver {',
    '  if (req.http.X-Dustbuster-Link && resp.status == 200) {',
    `    if (resp.http.Link) { set resp.http.Link = resp.http.Link + ", " + ${link}; }`,
    `    else { set resp.http.Link = ${link}; }`,
    '  }',
    '}',
  ];
}

/** From the request to its canonical form, or to no header if there is none. */
function all({ urlForm, maxIterations }: ExportRequest): readonly string[] {
  const isPath = urlForm === 'path';
  const form = isPath ? 'req.url' : 'req.http.X-Dustbuster-Origin + req.url';
  const start = isPath ? '/' : 'https?://[^/?#]+/';
  const isForm = `^(?=.{1,${mostBytes}}$)${start}[^\\x00-\\x20\\x7f#]*$`;
  const rounds = Array.from({ length: maxIterations }, () => [
    '  call dustbuster_round;',
    `  if (${url} == ${last}) { call dustbuster_end; return; }`,
  ]);
  return [
    'sub dustbuster_end {',
    `  if (${url} !~ "^${start}") { unset ${url}; }`,
    '}',
    '',
    'sub dustbuster {',
    '  set req.http.X-Dustbuster-Origin = "http://" + regsub(req.http.host, ":(80)?$", "");',
    '  if (req.http.X-Forwarded-Proto == "https") {',
    '    set req.http.X-Dustbuster-Origin = "https://" + regsub(req.http.host, ":(443)?$", "");',
    '  }',
    `  set ${given} = ${form};`,
    `  unset ${url};`,
    `  if (${given} !~ "${isForm}") { return; }`,
    `  set ${url} = ${given};`,
    ...rounds.flat(),
    `  unset ${url};`,
    '}',
  ];
}

function round({ normalization, urlForm }: ExportRequest, said: readonly Said[]): readonly string[] {
  const notNormal = notNormalPattern(normalization, urlForm);
  const check = `  if (${given} !~ "^${notNormal}" && ${url} ~ "^${notNormal}") { set ${url} = ""; }`;
  return [
    'sub dustbuster_round {',
    `  set ${last} = ${url};`,
    ...chunksOf(said).flatMap(chunkLines),
    ...(notNormal === '' ? [] : [check]),
    '}',
  ];
}

/** The rules of a chunk, if one of them can match. */
function chunkLines({ said, gate }: Chunk): readonly string[] {
  const lines = said.flatMap(({ rule, steps }) => [
    `  # ${sayRule(rule)}`,
    ...(rule.kind === 'substring' ? steps.map(replace) : edits(rule, steps)),
  ]);
  if (gate === '') return lines;
  return [`  if (${url} ~ "${gate}") {`, ...lines.map((line) => `  ${line}`), '  }'];
}

/** The steps of a rule; of one about a parameter for a URL that has the name somewhere. */
function edits(rule: Rule, steps: readonly Step[]): readonly string[] {
  const lines = steps.flatMap((step) => {
    if (!step.repeat) return [replace(step)];
    const times = Array.from({ length: maxTimes }, () => replace(step));
    return [...times, `  if (${url} ~ "${step.find}") { set ${url} = ""; }`];
  });
  const gate = gateOf(rule);
  return gate === '' ? lines : [`  if (${url} ~ "${gate}") {`, ...lines.map((line) => `  ${line}`), '  }'];
}

function replace({ find, put }: Step): string {
  const text = put === '' ? '' : ` + ${stringOf(put.replaceAll('\\', '\\\\'))}`;
  return `  if (${url} ~ "${find}") { set ${url} = regsub(${url}, "${find}", "\\1"${text}); }`;
}

/** A long string ends at `"}`, and has no escapes. */
function stringOf(text: string): string {
  return text.includes('"') ? `{"${text.replaceAll('"}', '""} + {"}')}"}` : `"${text}"`;
}
