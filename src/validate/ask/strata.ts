// The strata of a site, called corners in the code. A rule that is right on nine pages in ten and wrong in one stratum
// passes a uniform draw one time in ten. So after the draw a tour visits every stratum that the draw has missed, the
// largest first.
//
// A corner is a host, a first segment, a kind of last segment, the names of the parameters, with their values if these
// are few (`do=edit`, `sort=asc`: such values choose a kind of page), and whether earlier rules change the image
// further.
import { groupBy } from '../../base/group-by.js';
import { extensionOf, partsOf } from './parts.js';
import type { Change } from './site-forms.js';

/** A parameter with no more values than this, each in several URLs, chooses among kinds of pages. */
const FEW_VALUES = 25;
const URLS_PER_VALUE = 4;
const MAX_FIELDS = 6;

/** Names of parameters that choose among kinds of pages. */
export function choosers(urls: readonly string[]): ReadonlySet<string> {
  const values = new Map<string, { readonly values: Set<string>; urls: number }>();
  for (const url of urls) {
    for (const { name, text } of partsOf(url).fields) {
      const known = values.get(name) ?? { values: new Set(), urls: 0 };
      if (known.values.size <= FEW_VALUES) known.values.add(text);
      known.urls++;
      values.set(name, known);
    }
  }
  const chosen = [...values].filter(
    ([, { values: found, urls: n }]) => found.size <= FEW_VALUES && n >= URLS_PER_VALUE * found.size,
  );
  return new Set(chosen.map(([name]) => name));
}

export function cornerOf(url: string, choosing: ReadonlySet<string>): string {
  const { scheme, host, segments, fields } = partsOf(url);
  const last = segments.at(-1)!;
  const kinds = fields.map(({ name, text }) => (choosing.has(name) ? text : name)).sort();
  const first = segments.length > 1 ? segments[0] : '';
  return [scheme, host, first, shapeOf(last), ...new Set(kinds.slice(0, MAX_FIELDS))].join(' ');
}

/** A few URLs of each corner, round-robin, the corners with the most URLs first. */
export function ofCorners(urls: readonly string[], choosing: ReadonlySet<string>, each: number): string[] {
  const corners = groupBy(urls, (url) => cornerOf(url, choosing));
  const largest = [...corners.values()].sort((a, b) => b.length - a.length);
  // Spread over the corner: URLs are sorted, and neighbours may be of one page.
  const turns = Array.from({ length: each }, (_, turn) =>
    largest.flatMap((members) => (turn < members.length ? [members[Math.floor((turn * members.length) / each)]!] : [])),
  );
  return [...new Set(turns.flat())];
}

function shapeOf(last: string): string {
  if (last === '') return '/';
  if (/^\d+$/.test(last)) return '0';
  const extension = extensionOf(last);
  return /^[a-z0-9]{1,5}$/i.test(extension) ? `.${extension}` : 'a';
}

/**
 * Stops of a tour: first the home page's change, as no other page is like it; then one change of each corner that
 * `known` lacks. Corners with more changes come first, but no folder comes twice before each came once.
 */
export function tourOf(changes: readonly Change[], known: readonly Change[], choosing: ReadonlySet<string>): Change[] {
  const visited = new Set(known.map(({ form }) => cornerOf(form.text, choosing)));
  const order = [...groupBy(changes, ({ form }) => cornerOf(form.text, choosing))]
    .flatMap(([corner, members]) => (visited.has(corner) ? [] : [members]))
    .sort((a, b) => b.length - a.length || a[0]!.form.number - b[0]!.form.number)
    .map((members) => members.reduce((a, b) => (b.form.number < a.form.number ? b : a)));
  // A parameter with many values gives a folder many corners: so each folder comes up once before any comes again.
  const folders = new Set<string>();
  const isFirst = ({ form }: Change) => {
    const { host, segments } = partsOf(form.text);
    const folder = `${host}/${segments.length > 1 ? segments[0] : ''}`;
    const before = folders.size;
    return folders.add(folder).size > before;
  };
  const first = new Set(order.filter(isFirst));
  const tour = [...first, ...order.filter((change) => !first.has(change))];
  const home = homeOf(changes);
  const isKnown = known.some(({ form }) => form.text === home?.form.text);
  return home === undefined || isKnown ? tour : [home, ...tour.filter((change) => change !== home)];
}

/** File names of index pages. */
export const INDEX = /^(?:(?:index|default|home|main|start|welcome)(?:\.[a-z0-9]{1,5})?)?$/i;

/** The change of the front page: in the shortest folder, an index page if there is one, else the shortest URL. */
function homeOf(changes: readonly Change[]): Change | undefined {
  const pages = changes.map((change) => {
    const { text } = change.form;
    const [path = ''] = text.split('?');
    const name = path.lastIndexOf('/') + 1;
    return { change, text, folder: name, index: INDEX.test(path.slice(name)) ? 0 : 1 };
  });
  const [first, ...others] = pages;
  if (first === undefined) return undefined;
  const isBefore = (a: typeof first, b: typeof first) =>
    (a.folder - b.folder || a.index - b.index || a.text.length - b.text.length || (a.text < b.text ? -1 : 1)) < 0;
  return others.reduce((best, one) => (isBefore(one, best) ? one : best), first).change;
}
