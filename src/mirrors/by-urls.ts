// Finds hosts that may be mirrors of each other by their URLs alone (Bharat, Broder, Dean, Henzinger 2000): hosts that
// share paths.
//
//   ⟨path, host⟩ sorted          the hosts of each path; a path on very many hosts does not count
//   ⟨host, host⟩ sorted          pairs, and how many paths they share
//
// The share is the number of paths that both hosts have, divided by the number that either has.
import { eachRow, readBigEndian, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';

interface HostPair {
  readonly hosts: readonly [string, string];
  readonly shared: number;
  /** The number of paths of each host that may be shared. */
  readonly paths: readonly [number, number];
  /** The number of shared paths divided by that of all paths of the two hosts. */
  readonly share: number;
}

/** A path on more hosts comes from common programs, such as `/robots.txt` and `/wp-login.php`. */
const MOST_HOSTS = 100;

/** Build (`add`), then rank (`finish`). */
export class HostPaths {
  readonly #room: SpillRoom;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #tooCommon = 0;

  constructor(room: SpillRoom) {
    this.#room = { ...room, memoryBytes: room.memoryBytes / 2 };
    this.#sorter = new SpillSorter(this.#room, room.stats);
  }

  get hosts(): number {
    return this.#names.length;
  }

  /** The number of paths on more than 100 hosts; complete after `finish`. */
  get tooCommon(): number {
    return this.#tooCommon;
  }

  /** Adds a path with its query, bytes[start, end), of a host. */
  add(host: string, bytes: Uint8Array, start: number, end: number): void {
    let number = this.#numbers.get(host);
    if (number === undefined) {
      number = this.#names.push(host) - 1;
      this.#numbers.set(host, number);
    }
    const row = this.#row.clear().range(bytes, start, end).bigEndian(number);
    this.#sorter.add(row.bytes, 0, row.length, row.length);
  }

  /** Pairs of hosts that share at least `fewest` paths, largest share first. */
  finish(fewest: number): HostPair[] {
    const paths = new Uint32Array(this.#names.length);
    const found: HostPair[] = [];
    let [a, b, shared] = [0, 0, 0];
    const flush = () => {
      if (shared < fewest) return;
      const share = Number((shared / (paths[a]! + paths[b]! - shared)).toFixed(4));
      const names = [this.#names[a]!, this.#names[b]!] as const;
      const isInOrder = names[0] < names[1];
      const hosts = isInOrder ? names : ([names[1], names[0]] as const);
      const own = isInOrder ? ([paths[a]!, paths[b]!] as const) : ([paths[b]!, paths[a]!] as const);
      found.push({ hosts, shared, paths: own, share });
    };
    for (const { bytes, keyStart } of eachRow(this.#pairs(paths).finish())) {
      const [nextA, nextB] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
      if (nextA !== a || nextB !== b) {
        flush();
        [a, b, shared] = [nextA, nextB, 0];
      }
      shared++;
    }
    flush();
    const key = ({ hosts }: HostPair) => hosts.join('\t');
    return found.sort((x, y) => y.share - x.share || y.shared - x.shared || (key(x) < key(y) ? -1 : 1));
  }

  #pairs(paths: Uint32Array): SpillSorter {
    const pairs = new SpillSorter(this.#room, this.#room.stats);
    const row = new RowWriter();
    let path = new Uint8Array(0);
    let hosts: number[] = [];
    const flush = () => {
      if (hosts.length > MOST_HOSTS) this.#tooCommon++;
      else {
        for (const host of hosts) paths[host]!++;
        hosts.forEach((host, k) => {
          for (let other = k + 1; other < hosts.length; other++) {
            row.clear().bigEndian(host).bigEndian(hosts[other]!);
            pairs.add(row.bytes, 0, 8, 8);
          }
        });
      }
      hosts = [];
    };
    for (const { bytes, keyStart, keyEnd } of eachRow(this.#sorter.finish())) {
      const own = bytes.subarray(keyStart, keyEnd - 4);
      if (Buffer.compare(own, path) !== 0) {
        flush();
        path = own.slice();
      }
      const host = readBigEndian(bytes, keyEnd - 4);
      // Hosts over the limit are counted, not kept.
      if (host !== hosts.at(-1) && hosts.length <= MOST_HOSTS) hosts.push(host);
    }
    flush();
    return pairs;
  }
}
