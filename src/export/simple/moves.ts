// Which moves to another host or scheme could lead in a circle? Texts are compared by their origins only: what one move
// writes can be what another looks for if one of the two origins begins with the other. So the graph has two places for
// each origin:
//
//     written `http://a.com`   →  looked for `http://`, `http://a.com`, `http://a.com:80`
//     looked for `http://`     →  written by the moves from there
//
// Moves that make the URL shorter stay. Of the others, the last one first, a move goes if the way from what it writes
// leads to what it looks for. One that stays is in no circle then, so the next search needs none of those seen already.
import type { SubstringRule } from '../../rule/rule.js';

interface Place {
  readonly next: Place[];
  /** The last search that came here. */
  search: number;
}

interface Origin {
  readonly written: Place;
  readonly lookedFor: Place;
}

export function isMove({ from, to, anchor }: SubstringRule): boolean {
  return anchor === 'start' && originOf(from) !== originOf(to);
}

/** The moves that have to go, the last one first. */
export function circularMoves(moves: readonly SubstringRule[]): readonly SubstringRule[] {
  const isShorter = ({ from, to }: SubstringRule) => to.length < from.length;
  const others = moves.filter((move) => !isShorter(move));
  const origins = linkedOrigins(moves);
  const beginOf = ({ from }: SubstringRule) => origins.get(originOf(from))!.lookedFor;
  const endOf = ({ to }: SubstringRule) => origins.get(originOf(to))!.written;
  for (const move of [...moves.filter(isShorter), ...others]) beginOf(move).next.push(endOf(move));
  const circular = others.toReversed().filter((move, search) => {
    const isCircular = leadsTo(beginOf(move), endOf(move), search);
    beginOf(move).next.pop();
    return isCircular;
  });
  return circular;
}

/** Scheme and host, or as much of them as the text has. */
function originOf(text: string): string {
  return /^[^/]*(?:\/\/[^/?]*)?/.exec(text)![0];
}

/** All origins of the moves, with links from those written to those looked for, but without the moves. */
function linkedOrigins(moves: readonly SubstringRule[]): ReadonlyMap<string, Origin> {
  const begins = new Set(moves.map(({ from }) => originOf(from)));
  const ends = new Set(moves.map(({ to }) => originOf(to)));
  const place = (): Place => ({ next: [], search: -1 });
  const origins = new Map(
    Array.from([...begins, ...ends], (text) => [text, { written: place(), lookedFor: place() }] as const),
  );
  const link = (end: string, begin: string) => origins.get(end)!.written.next.push(origins.get(begin)!.lookedFor);
  for (const end of ends) for (const text of prefixes(end)) if (begins.has(text)) link(end, text);
  for (const begin of begins)
    for (const text of prefixes(begin)) if (text !== begin && ends.has(text)) link(text, begin);
  return origins;
}

/** With the empty one and the text itself. */
function prefixes(text: string): readonly string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}

function leadsTo(goal: Place, from: Place, search: number): boolean {
  const open = [from];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const next of place.next) {
      if (next === goal) return true;
      if (next.search === search) continue;
      next.search = search;
      open.push(next);
    }
  }
  return false;
}
