// Which copies lack most of the links that the others agree on? Each missing link takes pages out of all copies, so a
// copy by a crawler that stopped early, or by a program that rewrote few links, breaks the collection into pieces:
//
//     a1 → b1 → c1        most pages of ⟨a1, a2, a3⟩ link to ⟨b1, b2, b3⟩, and most of these to ⟨c1, c2, c3⟩
//     a2 → b2 → c2        host 3 has the pages and neither link: its pages are set aside
//     a3   b3   c3
//
// Two clusters are connected if most pages of one link to pages of the other. In each connected part, the pages of a
// host are set aside if they lack more of these links than they have. A link to a page that the host does not have is
// not missing.
import { Column, type Numbers } from '../base/column.js';
import { Bits } from '../base/numbers.js';
import { NumberPairs } from '../base/number-pairs.js';
import { type RowReader, readBigEndian } from '../base/row.js';
import type { SpillRoom } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { Components } from '../near/components.js';
import type { LinkGroup } from './link-rows.js';

interface Linked {
  readonly clusterOf: Numbers;
  readonly clusters: number;
  readonly hosts: Numbers;
  /** By page: whether a link joins it with a page of another cluster. */
  readonly isLinked: Bits;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
}

/** The pages of hosts that lack more links than they have. `groups`: in the order of the cluster that they start from. */
export function pagesOfPartCopies(groups: Iterable<LinkGroup>, linked: Linked): Bits {
  const { clusterOf, clusters, hosts, room } = linked;
  const pages = clusterOf.length;
  const column = roomFor('mirrors/column', room);
  const [having, lacking] = [new Column(pages, column), new Column(pages, column)];
  const joined = new Components(clusters, roomFor('mirrors/unions', room));
  const members = new Members(linked);
  const presence = new Presence(linked);
  for (const { from, to, links } of groups) {
    const own = members.of(from);
    const sources = new Set<number>();
    for (let at = 0; at < links.length; at += 2) sources.add(links[at]!);
    if (2 * sources.size <= own.length || sources.size < 2) continue;
    joined.join(from, to);
    for (const page of own) {
      if (sources.has(page)) having.add(page, 1);
      else if (presence.has(to, hosts.get(page))) lacking.add(page, 1);
    }
  }
  members.close();
  const found = lackingHosts(joined, linked, { having, lacking });
  having.close();
  lacking.close();
  return found;
}

interface Tallies {
  readonly having: Numbers;
  readonly lacking: Numbers;
}

function lackingHosts(joined: Components, linked: Linked, { having, lacking }: Tallies): Bits {
  const { clusterOf, hosts, isLinked, room } = linked;
  const found = new Bits(clusterOf.length);
  const roots = joined.finish();
  const ofPart = new NumberPairs(quarterOf(room));
  for (let page = 0; page < clusterOf.length; page++) {
    if (isLinked.has(page)) ofPart.add(roots.of(clusterOf.get(page)), page);
  }
  roots.close();
  let part = -1;
  let own: number[] = [];
  const flush = () => {
    const missing = new Map<number, number>();
    for (const page of own) {
      const host = hosts.get(page);
      missing.set(host, (missing.get(host) ?? 0) + lacking.get(page) - having.get(page));
    }
    for (const page of own) if (missing.get(hosts.get(page))! > 0) found.set(page);
    own = [];
  };
  ofPart.each((next, page) => {
    if (next !== part) flush();
    part = next;
    own.push(page);
  });
  flush();
  return found;
}

/** The linked pages of clusters, which are asked for in ascending order. */
class Members {
  readonly #rows: RowReader;
  #cluster = -1;
  #own: number[] = [];
  /** The next page that is read, and its cluster. */
  #next: readonly [cluster: number, page: number] | undefined;

  constructor({ clusterOf, isLinked, room }: Linked) {
    const pairs = new NumberPairs(quarterOf(room));
    for (let page = 0; page < clusterOf.length; page++) if (isLinked.has(page)) pairs.add(clusterOf.get(page), page);
    this.#rows = pairs.finish();
    this.#advance();
  }

  of(cluster: number): readonly number[] {
    if (cluster === this.#cluster) return this.#own;
    [this.#cluster, this.#own] = [cluster, []];
    for (; this.#next !== undefined && this.#next[0] <= cluster; this.#advance()) {
      if (this.#next[0] === cluster) this.#own.push(this.#next[1]);
    }
    return this.#own;
  }

  #advance(): void {
    const row = this.#rows.next();
    this.#next =
      row === undefined
        ? undefined
        : [readBigEndian(row.bytes, row.keyStart), readBigEndian(row.bytes, row.keyStart + 4)];
  }

  close(): void {
    this.#rows.close();
  }
}

/** Whether a host has a page in a cluster: eight bits a page, so that one of eight absent pages passes for present. */
class Presence {
  readonly #bits: Bits;
  readonly #count: number;

  constructor({ clusterOf, hosts }: Linked) {
    this.#count = 8 * clusterOf.length;
    this.#bits = new Bits(this.#count);
    for (let page = 0; page < clusterOf.length; page++) {
      this.#bits.set(this.#placeOf(clusterOf.get(page), hosts.get(page)));
    }
  }

  has(cluster: number, host: number): boolean {
    return this.#bits.has(this.#placeOf(cluster, host));
  }

  #placeOf(cluster: number, host: number): number {
    let mixed = Math.imul(cluster, 0x9e3779b1) ^ Math.imul(host + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) % this.#count;
  }
}

function quarterOf(room: SpillRoom): SpillRoom {
  const sorts = roomFor('mirrors/sorts', room);
  return { ...sorts, memoryBytes: sorts.memoryBytes / 4 };
}
