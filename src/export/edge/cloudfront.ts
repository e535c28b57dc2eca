// Rules as a CloudFront Function. Its size is limited to 10 KB, too little for the canonizer, so it makes the edits of
// a web server.
import { many } from '../../base/amounts.js';
import { createForms, guardsOf, type Edits, type Put, type Unit } from '../edits/edit.js';
import { editsOf } from '../edits/order.js';
import { plain } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';

const usage = `A CloudFront Function (JavaScript runtime 2.0) for the event viewer request. A GET or HEAD for a URL
that a rule changes is redirected to its form (301), by the same edits as for nginx. A path that begins with // or /\\ is left
alone, as clients would read a host there.
It assumes https unless the header CloudFront-Forwarded-Proto says otherwise, and never redirects for the scheme
alone. A function is limited to 10 KB, so it has the first rules only.`;

export const cloudfront: Target = {
  name: 'cloudfront',
  summary: 'a CloudFront Function that redirects to the canonical form',
  redirects: true,
  usage,
  formsBy: (request) => createForms(editsThatFit(request).units),
  write(request: ExportRequest): Exported {
    const { units, carried, left } = editsThatFit(request);
    return { text: functionOf(request, units), carried, left };
  },
};

/** CloudFront's limit for a function. */
const maxBytes = 10_240;

function editsThatFit(request: ExportRequest): Edits {
  const refuse = (units: readonly Unit[]) =>
    functionOf(request, units).length > maxBytes ? 'does not fit into the 10 KB of a CloudFront Function' : undefined;
  return editsOf(request, { isRedirected: true, refuse });
}

function literal(find: string): string {
  return `/${find.replaceAll('/', '\\/')}/`;
}

function replacementOf(put: Put): string {
  return JSON.stringify(put.map((piece) => (typeof piece === 'number' ? `$${piece}` : piece)).join(''));
}

function functionOf({ generator, source, rules, aboutKeys, urlForm }: ExportRequest, units: readonly Unit[]): string {
  const isPath = urlForm === 'path';
  const count = units.reduce((sum, unit) => sum + unit.rules.length, 0);
  const edits = units.flatMap((unit) => unit.edits);
  return `// Written by ${plain(generator)} from ${plain(source)}: ${count} of ${many(rules.length, 'rule')}.${aboutKeys === undefined ? '' : `\n// ${aboutKeys}`}
// A CloudFront Function (runtime 2.0), for viewer request.
var EDITS = [
${edits.map(({ find, put }) => `  [${literal(find)}, ${replacementOf(put)}],\n`).join('')}];
// If a form matches one of these, an edit would change it again: then the URL is left alone.
var GUARDS = [
${guardsOf(units)
  .map((guard) => `  ${literal(guard)},\n`)
  .join('')}];

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

function canonize(url) {
  var form = url;
  EDITS.forEach(function (edit) {
    form = form.replace(edit[0], edit[1]);
  });
  return GUARDS.some(function (guard) { return guard.test(form); }) ? url : form;
}
`;
}
