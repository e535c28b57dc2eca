// What instances read to the left and to the right of their core, against tokens cut out one by one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Instances } from '../../src/table/instance-columns.js';
import { LOW, Shapes, SIMILAR } from '../../src/table/shape.js';
import { NOTHING, Side, widened, type Context } from '../../src/table/side.js';
import { collate, tokenOffsets, uncollate } from '../../src/url/token.js';
import { siteUrlsOf } from '../url-list.js';

const CORE = '|';
const text = fc
  .array(fc.constantFrom('a', 'b', 'aa', '/', '.', '/a', '/a/'), { maxLength: 7 })
  .map((all) => all.join(''));
const list = fc.uniqueArray(fc.record({ before: text, after: text, reach: fc.nat(5), witness: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
  size: 'max',
  selector: ({ before, after }) => before + CORE + after,
});

/** Tokens from the core outwards; after the last one START, or END, which is no text. */
function tokensOf(part: string, direction: -1 | 1): string[] {
  const offsets = tokenOffsets(Buffer.from(part, 'latin1'));
  const tokens = offsets.slice(1).map((end, k) => part.slice(offsets[k], end));
  return [...(direction < 0 ? tokens.toReversed() : tokens), ''];
}

interface Sided {
  readonly tokens: readonly string[];
  readonly reach: number;
  readonly witness: boolean;
}

function commonOf(members: readonly Sided[], tokens: number, most: number): number {
  let last = tokens;
  const goOn = (sided: Sided) => sided.reach > last;
  while (last < most && new Set(members.filter(goOn).map((sided) => sided.tokens[last])).size === 1) last++;
  return last;
}

test.for([-1, 1] as const)('chains and forks are those of the tokens, in direction %i', (direction) => {
  const seen = { chains: 0, closed: 0, forks: 0, dropped: 0 };
  fc.assert(
    fc.property(list, fc.constantFrom(1, 2, 3), (entries, least) => {
      const urls = siteUrlsOf(entries.map(({ before, after }) => ({ url: before + CORE + after })));
      const shapes = new Shapes();
      const columns = ['from', 'to', 'coreOffset', 'shape'].map(() => new Int32Array(entries.length));
      const [from, to, coreOffset, shape] = columns as [Int32Array, Int32Array, Int32Array, Int32Array];
      const core = collate(Buffer.from(CORE))[0]!;
      const byUrl = new Map(entries.map((entry) => [entry.before + CORE + entry.after, entry]));
      const reachOf = new Int32Array(entries.length);
      const all = Array.from({ length: urls.count }, (_, row): Sided => {
        const bytes = urls.bytes.slice(urls.at(row), urls.at(row) + urls.lengthOf(row));
        const { before, after, reach, witness } = byUrl.get(Buffer.from(uncollate(bytes)).toString('latin1'))!;
        const tokens = tokensOf(direction < 0 ? before : after, direction);
        from[row] = row;
        coreOffset[row] = bytes.indexOf(core);
        shape[row] = shapes.numberOf(1, Math.min(reach, tokens.length), 0, 0, witness ? LOW | SIMILAR : LOW);
        reachOf[shape[row]!] = Math.min(reach, tokens.length);
        return { tokens, reach: Math.min(reach, tokens.length), witness };
      });
      const group: Instances = { count: urls.count, from, to, coreOffset, shape, shapes, isShared: false };
      const side = new Side(urls, direction);
      side.begin(group, CORE.length);
      const column = Int32Array.from(all, (_, index) => index);
      const grow = (members: readonly number[], start: number, context: Context): void => {
        column.set(members, start);
        const sided = members.map((index) => all[index]!);
        const most = Math.max(...sided.map(({ reach }) => reach));
        const last = side.chain(column, start, start + members.length, context, most, reachOf);
        expect(last).toBe(commonOf(sided, context.tokens, most));
        const model = sided.find(({ reach }) => reach === most)!.tokens;
        for (let tokens = context.tokens; tokens <= last; tokens++) {
          const expected = model.slice(0, tokens);
          expect(side.at(tokens)).toEqual({ tokens, bytes: expected.join('').length, closed: expected.at(-1) === '' });
          if (expected.at(-1) === '') seen.closed++;
        }
        if (last > context.tokens) seen.chains++;
        if (last === most) return;
        const wider = members.filter((index) => all[index]!.reach > last);
        column.set(wider, start);
        const ways = new Map<string, number[]>();
        for (const index of wider) {
          const token = all[index]!.tokens[last]!;
          ways.set(token, [...(ways.get(token) ?? []), index]);
        }
        const alive = [...ways].filter(([, way]) => way.filter((index) => all[index]!.witness).length >= least);
        seen.forks++;
        seen.dropped += ways.size - alive.length;
        const end = side.at(last);
        const forks = side.fork(column, start, start + wider.length, end.bytes, least);
        let at = start;
        expect(forks).toEqual(alive.flatMap(([token, way]) => [at, (at += way.length), token.length]));
        const kept = alive.map(([, way], k) => [way, forks[3 * k]!, widened(end, forks[3 * k + 2]!)] as const);
        for (const [way, place] of kept) expect([...column.subarray(place, place + way.length)]).toEqual(way);
        for (const [way, place, context] of kept) grow(way, place, context);
      };
      grow(
        Array.from(all, (_, index) => index),
        0,
        NOTHING,
      );
    }),
    { numRuns: 400 },
  );
  expect(seen.chains).toBeGreaterThan(300);
  expect(seen.closed).toBeGreaterThan(50);
  expect(seen.forks).toBeGreaterThan(300);
  expect(seen.dropped).toBeGreaterThan(100);
});
