// How does Apache apply rules? mod_rewrite matches a decoded path without query, so the whole URL as requested
// (THE_REQUEST) is kept in an environment variable, and every step of a rule is a condition on that and an assignment:
//
//     RewriteCond %{ENV:DUSTBUSTER_URL} "^(.*?)/index\.html(.*)$"
//     RewriteRule ^ - "[E=DUSTBUSTER_URL:%1/%2]"
//
// [N] starts the next round, as long as one changes something, and a single redirect leads to the final form. A URL is
// given up (for taking too many rounds or edits, or for a form that is not normal) by making the variable empty.
import { maxFormBytes } from '../canonize/limits.js';
import type { Rule } from '../rule/rule.js';
import { chunksOf, gateOf, type Chunk } from './chunks.js';
import { pcre } from './dialect.js';
import { expressible, type Said } from './expressible.js';
import { writeSimpleApache } from './simple/apache.js';
import type { Step } from './step.js';
import { headingLines, sayRule } from './heading.js';
import { nameEnvironment } from './named.js';
import { notNormalPattern } from './normal-pattern.js';
import type { Exported, ExportRequest, Target } from './target.js';
import { linkPromise, maxTimes, statusOf, webPromise, withStatus } from './web-promise.js';

const usage = `Include this file in the VirtualHost of the site (Apache 2.4 with mod_rewrite), before other rewrite rules; not in a
Directory block and not in .htaccess.
${webPromise}
Behind a proxy that ends TLS, %{REQUEST_SCHEME} has to become what the proxy says (%{HTTP:X-Forwarded-Proto}).
Before Apache 2.4.60, a form that ends in ? or & is not redirected to.`;

const linkUsage = `Include this file in the <VirtualHost> of the site, with mod_rewrite and mod_headers (RewriteEngine is on in it).
${linkPromise}`;

export const apache: Target = {
  name: 'apache',
  summary: 'rewrite rules (mod_rewrite) for one redirect (301) to the canonical form',
  usage,
  isServer: true,
  write: (request) => (request.isSimple === true ? writeSimpleApache(request) : write(request)),
};

const url = '%{ENV:DUSTBUSTER_URL}';
const given = '%{ENV:DUSTBUSTER_GIVEN}';
const last = '%{ENV:DUSTBUSTER_LAST}';
const giveUp = '[E=DUSTBUSTER_URL:]';

function write(request: ExportRequest): Exported {
  const urls = request.urlForm === 'path' ? 'path' : 'absolute';
  const { said, left } = expressible(request, { dialect: pcre, urls, isBounded: true, isRedirected: true });
  const use = request.isLink === true ? linkUsage : withStatus(usage, request);
  const comment = headingLines(request, use, left).map((line) => `# ${line}`.trimEnd());
  const lines = said.length === 0 ? [] : ['RewriteEngine On', ...begin(request), ...skippable(round(request, said))];
  const all = [...comment, '', ...lines, ...(said.length === 0 ? [] : end(request))];
  return {
    text: `${nameEnvironment(all, request).join('\n')}\n`,
    carried: said.map(({ rule }) => rule),
    left,
  };
}

/** Conditions, all of which must hold, and the action. */
function rewrite(conditions: readonly (readonly [test: string, pattern: string])[], action: string): readonly string[] {
  return [
    ...conditions.map(([test, pattern]) => `RewriteCond ${quoted(test)} ${quoted(pattern)}`),
    `RewriteRule ^ ${action}`,
  ];
}

/** mod_rewrite has no escape for a quote: the other kind of quote is used. */
function quoted(word: string): string {
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}

/** In the first round: the URL as it came in, and two characters that cannot be written in an assignment. */
function begin({ urlForm }: ExportRequest): readonly string[] {
  const origin = '(?|(http://[^ /?#]+?)(?::80)?|(https://[^ /?#]+?)(?::443)?)';
  const asked = `^${origin} (?:GET|HEAD) (/[^\\x00-\\x20\\x7f#]*) HTTP`;
  const form = urlForm === 'path' ? '%2' : '%1%2';
  const first: readonly [string, string] = ['%{ENV:DUSTBUSTER_ROUND}', '^$'];
  return [
    ...rewrite(
      [first, ['%{REQUEST_SCHEME}://%{HTTP_HOST} %{THE_REQUEST}', asked]],
      `- "[E=DUSTBUSTER_ORIGIN:%1,E=DUSTBUSTER_GIVEN:${form},E=DUSTBUSTER_URL:${form}]"`,
    ),
    ...rewrite([first, [given, `^.{${maxFormBytes + 1}}`]], '- "[E=DUSTBUSTER_GIVEN:,E=DUSTBUSTER_URL:]"'),
    ...rewrite([first, [',', '(.)']], '- "[E=DUSTBUSTER_COMMA:%1]"'),
    ...rewrite([first, ['"', '(.)']], '- "[E=DUSTBUSTER_QUOTE:%1]"'),
  ];
}

function round({ normalization, urlForm, maxIterations }: ExportRequest, said: readonly Said[]): readonly string[] {
  const notNormal = notNormalPattern(normalization, urlForm);
  const check: readonly (readonly [string, string])[] = [
    [given, `!^${notNormal}`],
    [url, `^${notNormal}`],
  ];
  return [
    `RewriteRule ^ - "[E=DUSTBUSTER_LAST:${url},E=DUSTBUSTER_ROUND:%{ENV:DUSTBUSTER_ROUND}i]"`,
    ...chunksOf(said).flatMap(chunkLines),
    ...(notNormal === '' ? [] : rewrite(check, `- "${giveUp}"`)),
    ...rewrite(
      [
        [`${last} ${url}`, '!^([^ ]*) \\1$'],
        ['%{ENV:DUSTBUSTER_ROUND}', `!^i{${maxIterations}}`],
      ],
      '- [N]',
    ),
    // Rounds are over, and the last one has changed something.
    ...rewrite([[`${last} ${url}`, '!^([^ ]*) \\1$']], `- "${giveUp}"`),
  ];
}

/** The rules of a chunk, if one of them can match. */
function chunkLines({ said, gate }: Chunk): readonly string[] {
  const lines = said.flatMap(({ rule, steps }) => [
    `# ${sayRule(rule)}`,
    ...(rule.kind === 'substring' ? steps.flatMap(assign) : edits(rule, steps)),
  ]);
  return gate === '' ? lines : [...skip([[url, `!(?:${gate})`]], lines), ...lines];
}

/** The steps of a rule; of one about a parameter for a URL that has the name somewhere. */
function edits(rule: Rule, steps: readonly Step[]): readonly string[] {
  const lines = steps.flatMap((step) => {
    if (!step.repeat) return assign(step);
    const times = Array.from({ length: maxTimes }, () => assign(step)).flat();
    return [...times, ...rewrite([[url, step.find]], `- "${giveUp}"`)];
  });
  const gate = gateOf(rule);
  return gate === '' ? lines : [...skip([[url, `!${gate}`]], lines), ...lines];
}

function assign({ find, put }: Step): readonly string[] {
  return rewrite([[url, `${find}(.*)$`]], `- "[E=DUSTBUSTER_URL:%1${valueOf(put)}%2]"`);
}

/** Text in an assignment, which a comma or a quote would end, whatever comes before it. */
function valueOf(put: string): string {
  const known: Readonly<Record<string, string>> = { ',': '%{ENV:DUSTBUSTER_COMMA}', '"': '%{ENV:DUSTBUSTER_QUOTE}' };
  return put.replace(/[\\$%{,"]/g, (char) => known[char] ?? `\\${char}`);
}

/** Skips the lines if the conditions hold. */
function skip(conditions: Parameters<typeof rewrite>[0], lines: readonly string[]): readonly string[] {
  const rules = lines.filter((line) => line.startsWith('RewriteRule')).length;
  return rewrite(conditions, `- [S=${rules}]`);
}

/** Also for requests that are not to be canonized: then not even one round. */
function skippable(lines: readonly string[]): readonly string[] {
  return [...skip([[given, '^$']], lines), ...lines];
}

/** The form is new. */
const isNew: readonly [string, string] = [`${given} ${url}`, '!^([^ ]*) \\1$'];

function end(request: ExportRequest): readonly string[] {
  return request.isLink === true ? announce(request) : redirect(request);
}

/** Answers that are no success have no link. */
function announce({ urlForm }: ExportRequest): readonly string[] {
  const origin = urlForm === 'path' ? '%{ENV:DUSTBUSTER_ORIGIN}' : '';
  return [
    ...rewrite([isNew, [url, '^([^<>"]+)$']], `- "[E=DUSTBUSTER_LINK:${origin}%1]"`),
    'Header add Link "<%{DUSTBUSTER_LINK}e>; rel=\\"canonical\\"" env=DUSTBUSTER_LINK',
  ];
}

/** Splits query and path, as mod_rewrite needs them; it would drop a `?` or `&` at the end. */
function redirect(request: ExportRequest): readonly string[] {
  const isPath = request.urlForm === 'path';
  const flag = `R=${statusOf(request)}`;
  const origin = isPath ? '%{ENV:DUSTBUSTER_ORIGIN}' : '';
  const start = isPath ? '/' : 'https?://[^/?#]+/';
  return [
    ...rewrite([isNew, [url, `^(${start}[^?]*)$`]], `"${origin}%1" [${flag},NE,L,QSD]`),
    ...rewrite([isNew, [url, `^(${start}[^?]*)\\?(.*[^?&])$`]], `"${origin}%1?%2" [${flag},NE,L]`),
    '<IfModule version_module>',
    '<IfVersion >= 2.4.60>',
    ...rewrite([isNew, [url, `^(${start}.*[?&])$`]], `"${origin}%1?" [${flag},NE,L,QSL,UnsafeAllow3F]`),
    '</IfVersion>',
    '</IfModule>',
  ];
}
