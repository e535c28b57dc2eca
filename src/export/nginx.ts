// How does nginx apply rules? `rewrite` never sees the query, so everything is done by `map`, which matches any string
// and is evaluated only when its variable is. One redirect leads to the canonical form:
//
//     $dustbuster_location          evaluates
//       $dustbuster_form              the form that a round did not change, or nothing
//         $dustbuster_round_1 … _10     each of which, if the one before has changed something, evaluates
//           $dustbuster_round             the rules
//             $dustbuster_if_1 …            a chunk of them, if one can match
//               $dustbuster_do_1 …            one map each, in chains; the end of a chain sets $dustbuster_url
//
// Three features of nginx make that possible. A named capture sets its variable whenever its expression matches: that
// is how a round passes its form on. A `volatile` map is evaluated again for each string that names it, though not
// twice for one string, so each round has a variable of its own. And as variables may be nested only 100 deep, a chain
// has at most the 50 rules of a chunk, and chains follow one another in one string.
//
// A rule with several steps (a parameter) is one map with the steps as alternatives, evaluated until none of them
// matches. If that takes more than `maxEdits` times, the URL is given up: the form becomes empty, and stays so.
import { encodeText } from '../base/bytes.js';
import { maxFormBytes } from '../canonize/limits.js';
import { chunksOf, type Chunk } from './chunks.js';
import { pcre } from './dialect.js';
import { expressible, type Said } from './expressible.js';
import { writeSimpleNginx } from './simple/nginx.js';
import type { Step } from './step.js';
import { headingLines, sayRule } from './heading.js';
import { nameVariables } from './named.js';
import { notNormalPattern } from './normal-pattern.js';
import type { Exported, ExportRequest, Target } from './target.js';
import { linkPromise, maxTimes, webPromise, withStatus } from './web-promise.js';

const usage = `Include this file in the http block of nginx (1.11.7 or later), and in the server block that answers for the site write:
  if ($dustbuster_location) { return 301 $dustbuster_location; }
${webPromise}
To look first, log $dustbuster_location instead.
Behind a proxy that ends TLS, $scheme here has to become what the proxy says ($http_x_forwarded_proto).
With many rules nginx warns that its variables_hash is not optimal, which does no harm.`;

const linkUsage = `Include this file in the http block of nginx (1.11.7 or later), and in the server block that answers for the site write:
  add_header Link $dustbuster_link;
(a location with add_header lines of its own needs it too).
${linkPromise}
Behind a proxy that ends TLS, $scheme here has to become what the proxy says ($http_x_forwarded_proto).`;

export const nginx: Target = {
  name: 'nginx',
  summary: 'maps from each URL to its canonical form, for one redirect (301)',
  usage,
  isServer: true,
  write: (request) => (request.isSimple === true ? writeSimpleNginx(request) : write(request)),
};

/** For a parameter: each of its steps, or those that are repeated, as often as allowed. */
const maxEdits = 4 * maxTimes;
/** Variables in one word. */
const groupLength = 100;
/** The limit for a word in a file of nginx, which refuses 4,096 and more. */
const maxWordLength = 4000;

function write(request: ExportRequest): Exported {
  const urls = request.urlForm === 'path' ? 'path' : 'absolute';
  const { said, left } = expressible(request, { dialect: pcre, urls, isBounded: true, isRedirected: true, refuse });
  const isLink = request.isLink === true;
  const comment = headingLines(request, isLink ? linkUsage : withStatus(usage, request), left).map((line) =>
    `# ${line}`.trimEnd(),
  );
  const maps = said.length === 0 ? map('', 'location', []) : [...ends(request), '', ...roundLines(request, said)];
  const lines = nameVariables([...comment, '', ...maps, ...(isLink ? link() : [])], request);
  return { text: `${lines.join('\n')}\n`, carried: said.map(({ rule }) => rule), left };
}

/** An empty header is not sent. */
function link(): readonly string[] {
  const entries: Entry[] = [
    ['', ''],
    ['~[<>\\"]', ''],
  ];
  const otherwise = '<$dustbuster_location>; rel=\\"canonical\\"';
  return map('$dustbuster_location', 'link', entries, { otherwise });
}

function refuse(step: Step): string | undefined {
  const longest = Math.max(...entryOf(step).map((word) => encodeText(word).length));
  return longest > maxWordLength ? 'is longer than nginx takes' : undefined;
}

/** From the request to the initial form, and from the last form to the target of the redirect. */
function ends({ urlForm, maxIterations }: ExportRequest): readonly string[] {
  const isPath = urlForm === 'path';
  const origin = isPath ? '$scheme://$host$dustbuster_port' : '';
  const form = isPath ? '$request_uri' : '$scheme://$host$dustbuster_port$request_uri';
  const begin = isPath ? '/' : 'https?://[^/?#]+/';
  const rounds = Array.from({ length: maxIterations }, (_, at) => `$dustbuster_round_${at + 1}`);
  return [
    ...map('$scheme $http_host', 'port', [
      ['~^http .*:80$', ''],
      ['~^https .*:443$', ''],
      ['~(:[0-9]+)$', '$1'],
    ]),
    ...map(form, 'given', [[`~^(?=.{1,${maxFormBytes}}$)(?<dustbuster_url>${begin}[^\\x00-\\x20\\x7f#]*)$`, '$1']]),
    ...oneAfterAnother(['$dustbuster_given', ...rounds], 'done'),
    ...map('$dustbuster_done$dustbuster_last $dustbuster_url', 'form', [['~^([^ ]+) \\1$', '$1']]),
    // The port is evaluated before the match, as its own match would overwrite the captures.
    ...map(`$request_method ${origin} $dustbuster_given $dustbuster_form`, 'location', [
      ['~ ([^ ]+) \\1$', ''],
      [`~^(?:GET|HEAD) ([^ ]*) [^ ]+ (${begin}[^ ]*)$`, '$1$2'],
    ]),
  ];
}

function roundLines(
  { normalization, urlForm, maxIterations }: ExportRequest,
  said: readonly Said[],
): readonly string[] {
  const chunks = chunksOf(said);
  let first = 1;
  const lines = chunks.flatMap((chunk, at) => {
    const own = chunkLines(chunk, at + 1, first);
    first += chunk.said.length;
    return own;
  });
  const parts = chunks.map((_, at) => `$dustbuster_if_${at + 1}`);
  const notNormal = notNormalPattern(normalization, urlForm);
  const checks = notNormal === '' ? [] : ['$dustbuster_check'];
  const settled: Entry = ['~^([^ ]*) \\1$', ''];
  const rounds = Array.from({ length: maxIterations }, (_, at) =>
    map('$dustbuster_last $dustbuster_url', `round_${at + 1}`, [settled], { otherwise: '$dustbuster_round' }),
  );
  const check = [
    ...map('$dustbuster_given', 'strict', [[`~^${notNormal}`, '0']], { otherwise: '1' }),
    ...map('$dustbuster_strict $dustbuster_url', 'check', [[`~^1 ${notNormal}(?<dustbuster_url>)`, '']], again),
  ];
  return [
    ...rounds.flat(),
    ...oneAfterAnother(['$dustbuster_begin', ...parts, ...checks], 'round'),
    ...map('$dustbuster_url', 'begin', [['~^(?<dustbuster_last>.*)$', '']], again),
    ...(notNormal === '' ? [] : check),
    ...(needsDollar(said) ? [dollar] : []),
    ...lines,
  ];
}

/** Evaluates all variables in order, each once; in groups if they do not fit into one word. */
function oneAfterAnother(variables: readonly string[], name: string): readonly string[] {
  if (variables.length <= groupLength) return map(variables.join(''), name, [], again);
  const groups = Math.ceil(variables.length / groupLength);
  const names = Array.from({ length: groups }, (_, at) => `${name}_part_${at + 1}`);
  return [
    ...names.flatMap((part, at) =>
      map(variables.slice(at * groupLength, (at + 1) * groupLength).join(''), part, [], again),
    ),
    ...oneAfterAnother(
      names.map((part) => `$dustbuster_${part}`),
      name,
    ),
  ];
}

/** The rules of a chunk, if one of them can match; evaluated through $dustbuster_if_N. */
function chunkLines({ said, gate }: Chunk, at: number, first: number): readonly string[] {
  const lines: string[] = [];
  const parts: string[] = [];
  let from = '';
  const close = () => {
    if (from === '') return;
    lines.push(...keep(`$dustbuster_${from}`, `end_${from}`));
    parts.push(`$dustbuster_end_${from}`);
    from = '';
  };
  for (const [place, { rule, steps }] of said.entries()) {
    const name = `${first + place}`;
    const [step] = steps;
    lines.push(`# ${sayRule(rule)}`);
    if (rule.kind === 'substring' && step !== undefined) {
      lines.push(...map(from === '' ? '$dustbuster_url' : `$dustbuster_${from}`, name, [entryOf(step), same], again));
      from = name;
    } else {
      close();
      lines.push(...edits(steps, name));
      parts.push(`$dustbuster_${name}`);
    }
  }
  close();
  return [
    ...map('$dustbuster_url', `if_${at}`, [[`~${gate === '' ? '^' : gate}`, `$dustbuster_do_${at}`]], again),
    ...oneAfterAnother(parts, `do_${at}`),
    ...lines,
  ];
}

/** Applies the steps one after another, as long as one matches. */
function edits(steps: readonly Step[], name: string): readonly string[] {
  const edit = `${name}_edit`;
  const kept = Array.from({ length: maxEdits }, (_, at) => `${name}_${at + 1}`);
  const all = kept.map((variable) => `$dustbuster_${variable}`).join('');
  const tooMany: Entry = ['~^([^ ]*) (?!\\1$)(?<dustbuster_url>)', ''];
  return [
    ...map(
      '$dustbuster_url',
      name,
      steps.map(({ find }) => [`~${find}`, `$dustbuster_${name}_all`] as const),
      again,
    ),
    ...map(`${all}$dustbuster_${name}_over`, `${name}_all`, [], again),
    ...map('$dustbuster_url', edit, [...steps.map(entryOf), same], again),
    ...keep(`$dustbuster_${edit}`, `${name}_keep`),
    ...kept.flatMap((variable) => map(`$dustbuster_${name}_keep`, variable, [], again)),
    ...map(`$dustbuster_url $dustbuster_${edit}`, `${name}_over`, [tooMany], again),
  ];
}

type Entry = readonly [pattern: string, value: string];

/** A form that no rule matches is passed on unchanged. `default` would evaluate the source once more. */
const same: Entry = ['~^(.*)$', '$1'];
const again = { isVolatile: true };

/** Sets $dustbuster_url. */
function keep(source: string, name: string): readonly string[] {
  return map(source, name, [['~^(?<dustbuster_url>.*)$', '']], again);
}

function entryOf({ find, put }: Step): Entry {
  return [`~${find}(.*)$`, `$1${valueOf(put)}$2`];
}

/** The text in a quoted value. A dollar sign cannot be escaped. */
function valueOf(put: string): string {
  return put.replace(/["\\]/g, '\\$&').replaceAll('$', '${dustbuster_dollar}');
}

function needsDollar(said: readonly Said[]): boolean {
  return said.some(({ steps }) => steps.some(({ put }) => put.includes('$')));
}

/** Values of `geo` are taken literally. */
const dollar = 'geo $dustbuster_dollar { default "$"; }';

function map(
  source: string,
  name: string,
  entries: readonly Entry[],
  { isVolatile = false, otherwise = '' }: { readonly isVolatile?: boolean; readonly otherwise?: string } = {},
): readonly string[] {
  const body = [
    ...(isVolatile ? ['volatile;'] : []),
    ...entries.map(([pattern, value]) => `"${pattern}" "${value}";`),
    ...(otherwise === '' ? [] : [`default "${otherwise}";`]),
  ];
  const head = `map "${source}" $dustbuster_${name} {`;
  return entries.length === 0
    ? [`${head} ${body.join(' ')} }`.replace('  ', ' ')]
    : [head, ...body.map((line) => `  ${line}`), '}'];
}
