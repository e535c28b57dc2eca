// Which pairs of a host's pages are near enough to suggest a statement? In a small host all pairs are compared, in a
// large one those that are next to each other by size.
import { decodeText, encodeText } from '../../base/bytes.js';
import { Nearness, SILENT } from '../../table/nearness.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { sayingFor } from './propose.js';
import { keyOf, statementOf, type Saying, type Statement } from './statement.js';

const FEW = 40;
const NEIGHBOURS = 6;
/** Sizes within 1 %. */
const NEAR = 3;
/** A statement is worth asking if so many hosts suggest it; the most that are asked. */
const LEAST_HOSTS = 5;
const MOST_STATEMENTS = 512;
const EXAMPLES = 8;

interface Proposal {
  readonly saying: Saying;
  hosts: number;
  lastHost: number;
  readonly pairs: (readonly [string, string])[];
}

/** Collects what hosts suggest. */
export class Proposals {
  readonly #proposals = new Map<string, Proposal>();
  #hosts = 0;

  /** `forms`: a row of the host for each of its forms, in latin-1. */
  add(urls: SiteUrls, forms: ReadonlyMap<string, number>): void {
    const host = this.#hosts++;
    const texts = new Map(Array.from(forms, ([form, row]) => [row, decodeText(Buffer.from(form, 'latin1'))]));
    for (const [a, b] of nearPairs(urls, [...forms.values()])) {
      const [one, other] = [texts.get(a)!, texts.get(b)!];
      const saying = sayingFor(one, other);
      if (saying !== undefined) this.#add(saying, host, one, other);
    }
  }

  #add(saying: Saying, host: number, one: string, other: string): void {
    const key = keyOf(saying);
    let proposal = this.#proposals.get(key);
    if (proposal === undefined) this.#proposals.set(key, (proposal = { saying, hosts: 0, lastHost: -1, pairs: [] }));
    if (proposal.lastHost === host) return;
    proposal.lastHost = host;
    proposal.hosts++;
    if (proposal.pairs.length < EXAMPLES) proposal.pairs.push(one.length > other.length ? [one, other] : [other, one]);
  }

  /** Most hosts first. */
  list(): readonly Statement[] {
    return [...this.#proposals]
      .filter(([, { hosts }]) => hosts >= LEAST_HOSTS)
      .sort(([a, { hosts: x }], [b, { hosts: y }]) => y - x || (a < b ? -1 : 1))
      .slice(0, MOST_STATEMENTS)
      .map(([, { saying, pairs }]) => ({ statement: statementOf(saying, pairs), pairs }))
      .filter(({ statement, pairs }) => pairs.some((pair) => changes(statement, pair)))
      .map(({ statement }) => statement);
  }
}

/** A text is replaced at its first place, which may be another one. */
function changes({ image }: Statement, pair: readonly [string, string]): boolean {
  return pair.some((text) => {
    const url = encodeText(text);
    return image(url) !== url;
  });
}

function* nearPairs(urls: SiteUrls, rows: readonly number[]): Generator<readonly [number, number]> {
  const nearness = new Nearness(urls);
  const isNear = (a: number, b: number) => {
    const level = nearness.between(a, b);
    return level !== SILENT && level <= NEAR;
  };
  const order = rows.length <= FEW ? rows : bySize(urls, rows);
  const reach = rows.length <= FEW ? rows.length : NEIGHBOURS;
  for (let k = 0; k < order.length; k++) {
    for (let next = k + 1; next < order.length && next <= k + reach; next++)
      if (isNear(order[k]!, order[next]!)) yield [order[k]!, order[next]!];
  }
}

function bySize(urls: SiteUrls, rows: readonly number[]): readonly number[] {
  const keyed = rows.map((row) => {
    const at = urls.at(row);
    const end = urls.sketchEndAt(at);
    const sketch = Buffer.from(urls.bytes.slice(end - urls.sketchLengthAt(at), end)).toString('latin1');
    return { row, size: urls.minSizeAt(at), sketch };
  });
  keyed.sort((a, b) => a.size - b.size || (a.sketch < b.sketch ? -1 : a.sketch > b.sketch ? 1 : a.row - b.row));
  return keyed.map(({ row }) => row);
}
