// Facets in several parameters: which of some parameters are choices, and how are they combined?
//
//   /list?color=red&size=m&page=2      color=red · size=m
//
// The caller says which parameters change the page, with few values. A choice can be taken back: most of its URLs that
// have other choices, too, are in the log without it. So `a=log` of gitweb is none: without it nothing is left of a URL.
import { byText } from '../../base/bytes.js';
import { type ListMeasures, measuresOf } from './facts.js';
import type { ListUse } from './find.js';
import type { ListedUrl } from './sample.js';
import { eachSlot } from './slots.js';
import { withoutEscapes } from '../../url/escape.js';

/** Parameters that are combined as choices of a site. */
export interface FieldChoices extends ListMeasures {
  readonly site: string;
  readonly names: readonly string[];
}

const FEWEST_COMBINED = 20;
const LEAST_TAKEN_BACK = 0.6;

interface Field {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Undefined if fewer than two of the parameters are choices that are combined. */
export function fieldChoices(
  site: string,
  urls: readonly ListedUrl[],
  names: ReadonlySet<string>,
): FieldChoices | undefined {
  const own = urls.filter((url) => url.site === site);
  const known = new Set(own.map(({ text }) => text));
  const counts = new Map<string, { all: number; without: number }>();
  for (const { text } of own) {
    const fields = fieldsOf(text, names);
    if (fields.length < 2) continue;
    for (const { name, start, end } of fields) {
      const count = counts.get(name) ?? { all: 0, without: 0 };
      counts.set(name, count);
      count.all++;
      if (known.has(withoutField(text, start, end))) count.without++;
    }
  }
  const choices = new Set(
    Array.from(counts).flatMap(([name, { all, without }]) => (without >= LEAST_TAKEN_BACK * all ? [name] : [])),
  );
  if (choices.size < 2) return undefined;
  const uses = usesOf(own, choices);
  const isCombined = uses.filter(({ items }) => items.length > 1).length >= FEWEST_COMBINED;
  return isCombined ? { site, names: [...choices].sort(byText), ...measuresOf(uses) } : undefined;
}

function usesOf(urls: readonly ListedUrl[], choices: ReadonlySet<string>): ListUse[] {
  return urls.flatMap((url) => {
    const fields = fieldsOf(url.text, choices);
    if (fields.length === 0) return [];
    const items = fields.map(({ start, end }) => withoutEscapes(url.text.slice(start, end)));
    return [{ url, items, ranges: fields.flatMap(({ start, end }) => [start, end]) }];
  });
}

/** The fields with these names, each with its name. */
function fieldsOf(text: string, names: ReadonlySet<string>): Field[] {
  const fields: Field[] = [];
  eachSlot(text, ({ slot, name, ranges }) => {
    if (slot !== 'repeated' || ranges.length > 2 || ranges[0] === ranges[1] || !names.has(name)) return;
    fields.push({ name, start: ranges[0]! - 1 - name.length, end: ranges[1]! });
  });
  return fields;
}

function withoutField(text: string, start: number, end: number): string {
  const isFirst = text[start - 1] === '?';
  if (end < text.length && text[end] !== '#') return text.slice(0, start) + text.slice(end + 1);
  return text.slice(0, isFirst || start > 0 ? start - 1 : start) + text.slice(end);
}
