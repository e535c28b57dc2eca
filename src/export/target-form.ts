// Which form does an export give to a URL? Lists must get the same form as the software. A target with edits (web
// servers, CloudFront, lists of expressions) makes each edit once, and leaves a URL alone if an edit would change it
// again. Other targets give the form of `canonize` by the exported rules, but leave URLs of other sites alone
// (`homeOf`).
//
// A server gets URLs as they are requested; here they are normalized first, as in lists.
import { decodeText, latin1 } from '../base/bytes.js';
import { createCanonizer, type CanonizerOptions } from '../canonize/canonizer.js';
import { masked } from '../url/secret.js';
import type { Differing, ExportRequest, Target } from './target.js';

export type FormOf = (url: Uint8Array) => Uint8Array;

/** `options` must be those by which the request's rules are in use. */
export function targetForms(target: Target, request: ExportRequest, options: CanonizerOptions): FormOf {
  const prepared = createCanonizer([], options);
  const formOf = target.formsBy?.(request);
  if (formOf !== undefined) {
    return (url) => {
      const asked = prepared.canonize(url);
      const text = latin1(asked);
      const form = formOf(text);
      return form === text ? asked : Buffer.from(form, 'latin1');
    };
  }
  const { carried } = target.write(request);
  const canonizer = createCanonizer(carried, options);
  const isHome = target.homeOf?.(request, carried) ?? (() => true);
  return (url) => (isHome(prepared.canonize(url)) ? canonizer.canonize(url) : url);
}

const MAX_EXAMPLES = 3;

export function countDiffering(urls: Iterable<Uint8Array>, here: FormOf, canonical: FormOf): Differing {
  const examples: (readonly [string, string, string])[] = [];
  let count = 0;
  let differing = 0;
  for (const url of urls) {
    count++;
    const [one, other] = [here(url), canonical(url)];
    if (Buffer.compare(one, other) === 0) continue;
    differing++;
    if (examples.length < MAX_EXAMPLES) examples.push([shown(url), shown(one), shown(other)]);
  }
  return { urls: count, differing, examples };
}

/** Escapes a URL for the comment of an export. */
function shown(url: Uint8Array): string {
  return masked(decodeText(url));
}
