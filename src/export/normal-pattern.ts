// Would safe normalization (url/normalize) change this form? Software that has regular expressions only can tell,
// though it could not do it. `canonize` normalizes after every round; a target that cannot lets a URL be, if a round
// has led from a form that is normal to one that is not (`/a/..html` without `.html` is `/a/.`). So whatever the rules
// and the request, what comes out is what `canonize` gives, or the URL that came in.
import type { Normalization, UrlForm } from '../rule/rule.js';

/** Unreserved characters and hexadecimal digits in lower case. */
const escapes = '%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|2[DE]|3[0-9]|[46][1-9A-F]|5[0-9AF]|7[0-9AE])';
const dots = '[^?]*/\\.\\.?(?:[/?]|$)';
const origins = 'http://[^/?]*(?:[A-Z]|:(?:80)?(?:[/?]|$)|\\?|$)|https://[^/?]*(?:[A-Z]|:(?:443)?(?:[/?]|$)|\\?|$)';

/** To stand where a URL begins; '' if nothing is normalized. */
export function notNormalPattern(normalization: Normalization, urlForm: UrlForm): string {
  if (normalization === 'none') return '';
  return `(?=.*${escapes}|${dots}${urlForm === 'path' ? '' : `|${origins}`})`;
}
