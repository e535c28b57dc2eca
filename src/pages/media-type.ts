// What kind of document is a page: HTML, CSV, a picture? By its Content-Type: `Text/CSV; charset=utf-8` is `text/csv`.

/** In lower case, without parameters; undefined if the header names none. */
export function typeIn(contentType: string | undefined): string | undefined {
  return /^\s*([^\s;,/]+\/[^\s;,]+)/.exec(contentType ?? '')?.[1]?.toLowerCase();
}

/** The same, but undefined also for one that says nothing. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  const type = typeIn(contentType);
  return type === undefined || unsaid.has(type) ? undefined : type;
}

/** Servers say so of what they do not know. */
const unsaid: ReadonlySet<string> = new Set(['application/unknown', 'unknown/unknown', '*/*']);

/** Names of one type. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ['application/xhtml+xml', 'text/html'],
  ['application/xml', 'text/xml'],
  ['application/javascript', 'text/javascript'],
  ['application/x-javascript', 'text/javascript'],
  ['image/jpg', 'image/jpeg'],
]);

/** Whether two pages are known to be documents of two kinds, such as a table in HTML and the same in CSV. */
export function areOtherTypes(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && plain(a) !== plain(b);
}

function plain(type: string): string {
  return sameAs.get(type) ?? type;
}
