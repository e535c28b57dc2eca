// Where might a pattern be wrong that no URL of the list shows? With segments of other URLs, and for other paths:
//
//     /s/{segment}/{1:path}     /s/x/item and /s/y/list are in the list, so /s/y/item is asked for
import { partsOf } from '../parts.js';
import { pathOf } from './grammar.js';
import type { ProbeKind } from './kind.js';

const BASES = 6;

/** `seen`: URLs that the rule changes, in draw order. Those that it does not change are passed over. */
export function probesOfPattern(seen: readonly string[]): ProbeKind[] {
  const few = seen.slice(0, BASES);
  return [{ take: 4, urls: few.flatMap((url, at) => withOtherSegment(url, seen[seen.length - 1 - at]!)) }];
}

/** With a segment of another one in the place of its own. */
function withOtherSegment(url: string, other: string): string[] {
  const [own, theirs] = [partsOf(url).segments, partsOf(other).segments];
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const rest = url.slice(pathOf(url).length);
  return own.flatMap((segment, at) => {
    const next = theirs[at];
    if (next === undefined || next === segment || next === '' || own.length !== theirs.length) return [];
    return [`${url.slice(0, Math.max(0, start))}/${own.with(at, next).join('/')}${rest}`];
  });
}
