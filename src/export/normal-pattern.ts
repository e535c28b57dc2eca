// Would safe normalization (url/normalize) change this form? Software with only regular expressions can detect that,
// even if it cannot normalize. `canonize` normalizes after every round; a target that cannot gives up a URL if a round
// leads from a normal form to one that is not (`/a/..html` without `.html` is `/a/.`). So whatever the rules and the
// request, the result is that of `canonize`, or the URL that came in.
import type { Normalization, UrlForm } from '../rule/rule.js';

/** Unreserved characters and hexadecimal digits in lower case. */
const escapes = '%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|2[DE]|3[0-9]|[46][1-9A-F]|5[0-9AF]|7[0-9AE])';
const dots = '[^?]*/\\.\\.?(?:[/?]|$)';
const origins = 'http://[^/?]*(?:[A-Z]|:(?:80)?(?:[/?]|$)|\\?|$)|https://[^/?]*(?:[A-Z]|:(?:443)?(?:[/?]|$)|\\?|$)';

/** To use where a URL begins; '' if nothing is normalized. */
export function notNormalPattern(normalization: Normalization, urlForm: UrlForm): string {
  if (normalization === 'none') return '';
  return `(?=.*${escapes}|${dots}${urlForm === 'path' ? '' : `|${origins}`})`;
}
