// What earlier nights have found in the sites of a state, each with the digest of what it was found in (mine/kept-sites).
// Tonight asks for one site after another; what it keeps replaces all that was there.
//
//   sites.run     | site | digest | what was found |     sorted by site, as a sealed run (base/run-file)
//
// The file may be missing, old or damaged: a night without it mines all sites anew, with the same result.
import { encodeText } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { renameFile } from '../base/kept-folder.js';
import { mergeSorted, type RunsReader } from '../base/merge.js';
import { eachRow, type Row, RowWriter } from '../base/row.js';
import { RunFile, RunWriter, sealIn } from '../base/run-file.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';

/** SHA-256. */
const DIGEST_BYTES = 32;

export class FoundSites {
  readonly #path: string;
  readonly #sorter: SpillSorter;
  readonly #line = new RowWriter();
  #file: RunFile | undefined;
  #rows: RunsReader | undefined;
  #row: Row | undefined;
  /** How many sites the file has, were found in it, and were kept. */
  #sites = 0;
  #found = 0;
  #kept = 0;

  constructor(path: string, room: SpillRoom) {
    this.#path = path;
    this.#sorter = new SpillSorter(room, room.stats);
    this.#unlessDamaged(() => {
      const seal = sealIn(path);
      if (seal === undefined) return;
      this.#file = new RunFile(path, seal);
      this.#rows = mergeSorted([this.#file.rows], room.memoryBytes);
      this.#row = this.#rows.next();
      this.#sites = seal.rows;
    });
  }

  /** What was found in the site when its digest was this one. Sites are asked for in the byte order of their names. */
  find(site: string, digest: Uint8Array): Uint8Array | undefined {
    const name = encodeText(site);
    this.#unlessDamaged(() => {
      while (this.#row !== undefined && Buffer.compare(siteOf(this.#row), name) < 0) this.#row = this.#rows!.next();
    });
    if (this.#row === undefined || Buffer.compare(siteOf(this.#row), name) !== 0) return undefined;
    const { bytes, keyEnd, end } = this.#row;
    const foundAt = keyEnd + DIGEST_BYTES;
    if (Buffer.compare(bytes.subarray(keyEnd, foundAt), digest) !== 0) return undefined;
    this.#found++;
    return bytes.slice(foundAt, end);
  }

  keep(site: string, digest: Uint8Array, found: Uint8Array): void {
    const line = this.#line.clear().raw(encodeText(site));
    const keyLength = line.length;
    line.raw(digest).raw(found);
    this.#sorter.add(line.bytes, 0, line.length, keyLength);
    this.#kept++;
  }

  /** Writes what was kept in place of what there was. Killed before the end, it leaves the file as it was. */
  write(): void {
    const rows = this.#sorter.finish();
    if (this.#kept === this.#sites && this.#found === this.#sites) return rows.close();
    const draft = `${this.#path}.part`;
    const writer = new RunWriter(draft, 0);
    try {
      for (const row of eachRow(rows)) writer.add(row);
      writer.seal();
    } catch (error) {
      writer.discard();
      throw error;
    }
    renameFile(draft, this.#path);
  }

  close(): void {
    this.#rows?.close();
    this.#file?.close();
    this.#rows = this.#file = this.#row = undefined;
  }

  /** Nothing more is found in a file with a block that is damaged. */
  #unlessDamaged(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#row = undefined;
    }
  }
}

function siteOf({ bytes, keyStart, keyEnd }: Row): Uint8Array {
  return bytes.subarray(keyStart, keyEnd);
}
