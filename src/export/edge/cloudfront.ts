// Rules as a CloudFront Function. It may have 10 KB, so it does not have the canonizer, but an expression for each step
// of a rule, and a loop that applies them, round after round. A rule is exported if it can be expressed, if it cannot
// lead in a circle (`carry`), and if it fits in.
import { many } from '../../base/amounts.js';
import { maxFormBytes } from '../../canonize/limits.js';
import { javascript } from '../dialect.js';
import { expressible, type Said } from '../expressible.js';
import { plain } from '../heading.js';
import { notNormalPattern } from '../normal-pattern.js';
import type { Step } from '../step.js';
import type { ExportRequest, Exported, LeftOut, Target } from '../target.js';

const usage = `A CloudFront Function (JavaScript runtime 2.0) for the event viewer request. A GET or HEAD for a URL
that is not canonical is redirected to its canonical form (301); URLs that would have to be normalised are left alone, and
so is a path that clients would take for a host, as it begins with // or /\\.
It takes https for the scheme, unless the header CloudFront-Forwarded-Proto is there, and never redirects for the
scheme alone. A function has 10 KB, so it has the rules that come first.`;

export const cloudfront: Target = {
  name: 'cloudfront',
  summary: 'a CloudFront Function that redirects to the canonical form',
  usage,
  write: writeFunction,
};

/** Of a function in CloudFront. */
const maxBytes = 10_240;

function writeFunction(request: ExportRequest): Exported {
  const urls = request.urlForm === 'path' ? 'path' : 'absolute';
  const { said, left } = expressible(request, {
    dialect: javascript,
    urls,
    isBounded: true,
    isRedirected: true,
    refuse: unwritable,
  });
  const carried: Said[] = [];
  const crowdedOut: LeftOut[] = [];
  let room = maxBytes - functionOf(request, []).length;
  for (const one of said) {
    room -= ruleOf(one).length + 4;
    if (room >= 0) carried.push(one);
    else crowdedOut.push({ rule: one.rule, reason: 'does not fit into the 10 KB of a CloudFront Function' });
  }
  return {
    text: functionOf(request, carried),
    carried: carried.map(({ rule }) => rule),
    left: [...left, ...crowdedOut].sort((a, b) => a.rule.rank - b.rule.rank),
  };
}

function unwritable({ put }: Step): string | undefined {
  return /^[\x21-\x7e]*$/.test(put) ? undefined : 'writes a character that no header has';
}

/** `[[/^…/, "…", false], …]`: the steps of a rule: what they find, what they put, whether they are repeated. */
function ruleOf({ steps }: Said): string {
  const texts = steps.map(({ find, put, repeat }) => `[${literal(find)},${JSON.stringify(put)},${repeat ? 1 : 0}]`);
  return `[${texts.join(',')}]`;
}

function literal(find: string): string {
  return `/${find.replaceAll('/', '\\/')}/`;
}

function functionOf(request: ExportRequest, said: readonly Said[]): string {
  const { generator, source, rules, normalization, urlForm, maxIterations } = request;
  const isPath = urlForm === 'path';
  const notNormal = notNormalPattern(normalization, urlForm);
  return `// Written by ${plain(generator)} from ${plain(source)}: ${said.length} of ${many(rules.length, 'rule')}.
// A CloudFront Function (runtime 2.0), for viewer request.
var RULES = [
${said.map((one) => `  ${ruleOf(one)},\n`).join('')}];
${notNormal === '' ? '' : `var NOT_NORMAL = ${literal(`^${notNormal}`)};\n`}
function handler(event) {
  var request = event.request;
  if (request.method !== 'GET' && request.method !== 'HEAD') return request;
  var query = request.rawQueryString();
  var path = request.uri + (query === undefined ? '' : '?' + query);
${
  isPath
    ? '  var url = path;'
    : `  var proto = request.headers['cloudfront-forwarded-proto'];
  var url = (proto ? proto.value : 'https') + '://' + request.headers.host.value + path;`
}
  var form = canonize(url);
  if (${isPath ? 'form === url || /^\\/[/\\\\]/.test(form)' : "form.slice(form.indexOf(':')) === url.slice(url.indexOf(':'))"}) return request;
  return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value: form } } };
}

// Rounds through all rules, until one changes nothing; a URL that does not settle stays as it is.
function canonize(url) {
  var form = url;
  for (var round = 0; round < ${maxIterations}; round++) {
    var before = form;
    RULES.forEach(function (steps) {
      steps.forEach(function (step) {
        for (var last = null; last !== form; ) {
          last = form;
          form = form.replace(step[0], function (all, head) { return head + step[1]; });
          if (!step[2]) break;
        }
      });
    });
    if (${notNormal === '' ? '' : 'NOT_NORMAL.test(form) || '}form.length > ${maxFormBytes}) return url;
    if (form === before) return form;
  }
  return url;
}
`;
}
