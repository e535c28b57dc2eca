// Which parameters were shown to have no effect? Only those of valid rules that remove them, if pages were fetched as
// evidence. A wrong cache key serves the wrong page, so a likely or pinned rule, or one proved by sizes alone, is not
// enough.
//
//     # no effect: sid on *.example.com/forum/*: 39 pages alike, 0 different (live)
//
// Each export of this folder has such a line for each parameter, and `--check` reads these lines again.
import type { ExportRequest, Exported, LeftOut } from '../target.js';
import { type Abilities, removalsOf, type Removal } from '../parameters/removal.js';

export interface Proven {
  readonly removals: readonly Removal[];
  readonly left: readonly LeftOut[];
}

/** `refuse` returns the reason why this software cannot express a removal, or undefined. */
export function provenOf(
  request: ExportRequest,
  { refuse, ...abilities }: Abilities & { readonly refuse?: (removal: Removal) => string | undefined } = {},
): Proven {
  const judge = (removal: Removal) => {
    const { status, verdict } = removal.rule;
    const isFetched = verdict !== undefined && ['live', 'warc'].includes(verdict.source) && verdict.positive > 0;
    if (status !== 'valid' || !isFetched) return 'has no fetched pages that show that the parameter has no effect';
    return refuse?.(removal);
  };
  return removalsOf(request, judge, abilities);
}

export function exportedOf(text: string, { removals, left }: Proven): Exported {
  return { text, carried: removals.map(({ rule }) => rule), left };
}

/** Such as `*.example.com/forum/*`. */
export function placeOf({ host, isBelow, path, isWhole }: Removal): string {
  return `${isBelow ? '*.' : ''}${host === '' ? '*' : host}${path === '' ? '/' : path}${isWhole ? '' : '*'}`;
}

const MARK = 'no effect: ';

/** Comment lines without the comment mark. */
export function evidenceOf({ removals }: Proven): readonly string[] {
  return removals.map((removal) => {
    const { positive, negative, source } = removal.rule.verdict!;
    return `${MARK}${keyOf(removal)}: ${positive} pages alike, ${negative} different (${source})`;
  });
}

function keyOf(removal: Removal): string {
  return `${removal.name} on ${placeOf(removal)}`;
}

/** Lines about parameters that only the earlier export lists, or that only these rules prove. */
export function changesSince(text: string, proven: Proven): readonly string[] {
  const listed = new Set(Array.from(text.matchAll(/^(?:#|\/\/) no effect: (\S+ on \S+): /gm), ([, key]) => key!));
  const shown = new Set(proven.removals.map(keyOf));
  return [
    ...[...listed].filter((key) => !shown.has(key)).map((key) => `${key}: listed, and no longer without effect`),
    ...[...shown].filter((key) => !listed.has(key)).map((key) => `${key}: without effect, and not listed`),
  ];
}

/** All removals that hold at one place; the most specific place comes first. */
export interface Place {
  readonly at: Removal;
  /** Names of all parameters without effect at this place, from this and from wider places. */
  readonly names: readonly string[];
}

export function placesOf({ removals }: Proven): readonly Place[] {
  const byPlace = new Map(removals.map((removal) => [placeOf(removal), removal]));
  return [...byPlace.values()]
    .map((at) => ({
      at,
      names: [...new Set(removals.filter((one) => holdsAt(one, at)).map(({ name }) => name))].sort(),
    }))
    .sort((a, b) => depthOf(b.at) - depthOf(a.at));
}

/** True if the removal holds for all URLs of the place. */
function holdsAt(one: Removal, place: Removal): boolean {
  const isHost = one.host === '' || one.host === place.host || (one.isBelow && place.host.endsWith(`.${one.host}`));
  const isAllHosts = one.host === '' || one.isBelow || !place.isBelow;
  const isPath = one.isWhole ? place.isWhole && one.path === place.path : place.path.startsWith(one.path);
  return isHost && isAllHosts && isPath;
}

/** Sorts longer paths before shorter ones, and a single host before all hosts of a site. */
function depthOf({ host, isBelow, path, isWhole }: Removal): number {
  return 4 * path.length + (isWhole ? 2 : 0) + (host === '' ? 0 : isBelow ? 0.5 : 1);
}
