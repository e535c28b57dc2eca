// Before they are compared, paths of rules and of requests are brought into the same form (RFC 9309, 2.2.2 and 2.2.3):
//
//   rule       /*?filter[]='a'  %7Euser  %c3%a9  é       a%2Ab  $b$    →  /*?filter%5B%5D=%27a%27  ~user  %C3%A9  %C3%A9  a%2Ab  %24b$
//   request    /x?filter[]='a'  ~user    %C3%A9          a*b    $b     →  /x?filter%5B%5D=%27a%27  ~user  %C3%A9          a%2Ab  %24b
//
// Unreserved characters are unescaped. The delimiters of URLs are neither escaped nor unescaped, since `/a%2Fb` is not
// `/a/b`. So a rule `?to=http://b` does not match `?to=http%3A%2F%2Fb`. RFC 9309 demands that it does in a query, but
// no crawler complies: a rule `/*/b` should match below a query too.
import { encodeText } from '../base/bytes.js';
import { escapeBytes, escapeOf } from '../url/escape.js';

/** Characters that become escapes: all others except `%`, which begins one. */
const CHANGED = /[^A-Za-z0-9\-._~;,/?:@&=+!()%]/g;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** The path of a rule, in ASCII. A `*` that is left, or a `$` at the end, is a wildcard. */
export function patternForm(path: string): string {
  const end = path.endsWith('$') ? '$' : '';
  const parts = path.slice(0, path.length - end.length).split('*');
  return parts.map(formOf).join('*') + end;
}

/** A request target in the common form, without dot segments. */
export function requestForm(target: string): string {
  const form = formOf(/[^!-~]/.test(target) ? escapeBytes(encodeText(target)) : target);
  return form.includes('/.') ? withoutDots(form) : form;
}

function formOf(text: string): string {
  return text
    .replace(CHANGED, (char) => escapeOf(char.charCodeAt(0)))
    .replace(ESCAPE, (escape) => {
      const char = String.fromCharCode(parseInt(escape.slice(1), 16));
      return UNRESERVED.test(char) ? char : escape.toUpperCase();
    });
}

/** In this form, a URL object only removes the dot segments. */
function withoutDots(form: string): string {
  const { pathname, search } = new URL(`http://robots.invalid${form}`);
  return pathname + search;
}
