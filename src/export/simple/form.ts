// Where do the redirects of a server with simple rules end?
import type { SimpleEdit } from './rules.js';

/** Redirects that browsers follow. */
const MOST_REDIRECTS = 20;

/** A path with `.` or `..` in it is resolved by the client before a slash of it could be folded: it is left alone. */
export const DOTS = '^[^?]*/\\.\\.?(?:[/?]|$)';

export interface End {
  readonly url: string;
  readonly redirects: number;
}

/** Follows the redirects of a URL, which has one char per byte. */
export function createEnds(edits: readonly SimpleEdit[]): (url: string) => End {
  const compiled = edits.map(({ find, put }) => ({ find: new RegExp(find, 's'), put }));
  const dots = new RegExp(DOTS, 's');
  const next = (url: string) => {
    let form = url;
    for (const { find, put } of compiled) {
      const match = find.exec(form);
      if (match !== null) form = put.map((piece) => (typeof piece === 'number' ? match[piece] : piece)).join('');
    }
    return dots.test(form) ? url : form;
  };
  return (url) => {
    let at = url;
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      const form = next(at);
      if (form === at) return { url: at, redirects };
      at = form;
    }
    return { url: at, redirects: MOST_REDIRECTS };
  };
}
