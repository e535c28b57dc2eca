// Which hosts run the same software? Software shows in the words that many hosts have in their URLs: segments, endings
// and names of parameters.
//
//   http://a.example/doku.php?id=start&do=diff      doku.php, .php, id, do
//   http://b.example/wiki/doku.php?id=linux         wiki, doku.php, .php, id
//
// Hosts are vectors of such words, each weighing what it tells (inverse document frequency), and are grouped by the
// angle between them: the first host that is far from all groups begins one (leader clustering, Hartigan 1975), and
// groups then settle as in k-means. No list of names of ours is needed.
import { decodeText } from '../../base/bytes.js';
import { emptyFields, isParameter, splitFields } from '../../url/fields.js';

/** A word of fewer hosts is their content, one of more hosts tells nothing. */
const LEAST_HOSTS = 8;
const MOST_SHARE = 0.6;
const LEAST_COSINE = 0.5;
const MOST_GROUPS = 512;
const SETTLINGS = 2;
/** A word belongs to a group if so many of its hosts have it. */
const OF_GROUP = 0.3;
const MOST_WORDS = 64;

/** No group. */
export const NO_GROUP = -1;

const fields = emptyFields();

/** The words of a URL, added to those of its host. */
export function addWords(url: Uint8Array, words: Set<string>): void {
  if (words.size >= MOST_WORDS) return;
  splitFields(url, fields);
  const path = decodeText(url, fields.pathStart, fields.queryStart).replace(/;[^/]*/g, '');
  for (const segment of path.split('/')) {
    const dot = segment.lastIndexOf('.');
    if (dot > 0) words.add(segment.slice(dot));
    if (segment !== '' && !/\d/.test(segment) && segment.length <= 40) words.add(`/${segment}`);
  }
  for (let field = 0; field < fields.count; field++) {
    if (isParameter(fields, field)) words.add(`${decodeText(url, fields.start[field]!, fields.nameEnd[field]!)}=`);
  }
}

export interface Group {
  readonly hosts: number;
  /** Words that tell the group best, for people. */
  readonly name: string;
}

type Parts = readonly (readonly [string, number])[];

/** What software is made of. */
export interface SoftwareText {
  readonly weights: Parts;
  readonly centroids: readonly Parts[];
  readonly groups: readonly Group[];
}

/** Finds the group of a host by its words. */
export class Software {
  readonly groups: readonly Group[];
  readonly #weights: ReadonlyMap<string, number>;
  readonly #centroids: readonly Vector[];
  /** By word: the groups that have it, with its part of their direction. */
  readonly #postings: ReadonlyMap<string, readonly (readonly [number, number])[]>;

  constructor(weights: ReadonlyMap<string, number>, centroids: readonly Vector[], groups: readonly Group[]) {
    this.#weights = weights;
    this.#centroids = centroids;
    this.groups = groups;
    this.#postings = postingsOf(centroids);
  }

  static of(hosts: readonly ReadonlySet<string>[]): Software {
    const weights = weightsOf(hosts);
    const vectors = hosts.map((words) => vectorOf(words, weights));
    let centroids = leaders(vectors);
    let members: number[][] = [];
    for (let k = 0; k < SETTLINGS; k++) {
      members = membersOf(vectors, centroids);
      const kept = members.filter((some) => some.length >= LEAST_HOSTS);
      centroids = kept.map((some) => meanOf(some.map((at) => vectors[at]!)));
    }
    members = membersOf(vectors, centroids);
    const names = namesOf(centroids);
    const groups = centroids.map((_, at) => ({ hosts: members[at]!.length, name: names[at]! }));
    return new Software(weights, centroids, groups);
  }

  static from({ weights, centroids, groups }: SoftwareText): Software {
    const vectors = centroids.map((parts) => new Map(parts));
    return new Software(new Map(weights), vectors, groups);
  }

  toJSON(): SoftwareText {
    const centroids = this.#centroids.map((vector) => [...vector]);
    return { weights: [...this.#weights], centroids, groups: this.groups };
  }

  /** The number of the group, or {@link NO_GROUP}. */
  groupOf(words: ReadonlySet<string>): number {
    if (this.#centroids.length === 0) return NO_GROUP;
    return nearest(vectorOf(words, this.#weights), this.#postings);
  }
}

/** By word; of length 1, or empty. */
type Vector = ReadonlyMap<string, number>;

function weightsOf(hosts: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const words of hosts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const [word, count] of counts) {
    if (count >= LEAST_HOSTS && count <= MOST_SHARE * hosts.length) weights.set(word, Math.log(hosts.length / count));
  }
  return weights;
}

function vectorOf(words: ReadonlySet<string>, weights: ReadonlyMap<string, number>): Vector {
  const vector = new Map<string, number>();
  for (const word of words) {
    const weight = weights.get(word);
    if (weight !== undefined) vector.set(word, weight);
  }
  return unit(vector);
}

function unit(vector: Map<string, number>): Vector {
  const length = Math.sqrt([...vector.values()].reduce((sum, part) => sum + part * part, 0));
  for (const [word, part] of vector) vector.set(word, part / length);
  return vector;
}

/** Hosts with many words first, as they say most about their software. */
function leaders(vectors: readonly Vector[]): readonly Vector[] {
  const order = [...vectors.keys()].sort((a, b) => vectors[b]!.size - vectors[a]!.size || a - b);
  const found: Vector[] = [];
  const postings = new Map<string, [number, number][]>();
  for (const at of order) {
    const vector = vectors[at]!;
    if (vector.size === 0 || found.length === MOST_GROUPS || nearest(vector, postings) !== NO_GROUP) continue;
    addPostings(postings, vector, found.push(vector) - 1);
  }
  return found;
}

function membersOf(vectors: readonly Vector[], centroids: readonly Vector[]): number[][] {
  const members: number[][] = centroids.map(() => []);
  const postings = postingsOf(centroids);
  for (const [at, vector] of vectors.entries()) {
    const group = nearest(vector, postings);
    if (group !== NO_GROUP) members[group]!.push(at);
  }
  return members;
}

function postingsOf(centroids: readonly Vector[]): Map<string, [number, number][]> {
  const postings = new Map<string, [number, number][]>();
  for (const [group, centroid] of centroids.entries()) addPostings(postings, centroid, group);
  return postings;
}

function addPostings(postings: Map<string, [number, number][]>, vector: Vector, group: number): void {
  for (const [word, part] of vector) {
    const groups = postings.get(word);
    if (groups === undefined) postings.set(word, [[group, part]]);
    else groups.push([group, part]);
  }
}

function nearest(vector: Vector, postings: ReadonlyMap<string, readonly (readonly [number, number])[]>): number {
  const cosines = new Map<number, number>();
  for (const [word, part] of vector)
    for (const [group, other] of postings.get(word) ?? []) cosines.set(group, (cosines.get(group) ?? 0) + part * other);
  let [best, most] = [NO_GROUP, LEAST_COSINE];
  for (const [group, cosine] of cosines) if (cosine > most) [best, most] = [group, cosine];
  return best;
}

function meanOf(vectors: readonly Vector[]): Vector {
  const sums = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const vector of vectors) {
    for (const [word, part] of vector) {
      sums.set(word, (sums.get(word) ?? 0) + part);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  for (const [word, count] of counts) if (count < OF_GROUP * vectors.length) sums.delete(word);
  return unit(sums);
}

const WORDS_SHOWN = 3;

/** The words that are strong in a group and in few others. */
function namesOf(centroids: readonly Vector[]): readonly string[] {
  const groups = new Map<string, number>();
  for (const centroid of centroids) for (const word of centroid.keys()) groups.set(word, (groups.get(word) ?? 0) + 1);
  return centroids.map((centroid) => {
    const weight = (word: string) => centroid.get(word)! / groups.get(word)!;
    const words = [...centroid.keys()].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
    return words.slice(0, WORDS_SHOWN).join(' ');
  });
}
