// What the canonical forms make of a list (SPEC 12): two external sorts, the second fed by the first.
//
//   forms      scope | form | label or none           a row for each URL and scope: its site, and all
//   contents   scope | label                          a row for each form and label in it: is it the commonest there?
import { decodeText, encodeText } from '../base/bytes.js';
import type { Row, RowReader } from '../base/row.js';
import { SpillSorter, type SpillOptions, type SpillStats } from '../base/spill.js';
import { RowWriter } from '../table/pair.js';
import { partEnd, putPart, Run } from './measure-row.js';
import type { ListMeasures, SiteMeasures } from './measure.js';

const ALL = 0;
const SITE = 1;
const UNLABELLED = 0;
const LABELLED = 1;
const nothing = new Uint8Array(0);

/** The numbers of one scope while they are counted. */
interface Tally {
  urls: number;
  forms: number;
  labelled: number;
  /** Distinct pairs of form and label. */
  pairs: number;
  contents: number;
  falseMerges: number;
  lostPages: number;
}

/** Build (`add`), then read (`finish`). */
export class FormMeter {
  readonly #forms: SpillSorter;
  readonly #contents: SpillSorter;
  readonly #row = new RowWriter();
  readonly #tallies = new Map<string, Tally>();

  constructor({ memoryBytes, tmpdir }: SpillOptions, stats: SpillStats) {
    const room = { memoryBytes: memoryBytes / 2, tmpdir };
    this.#forms = new SpillSorter(room, stats);
    this.#contents = new SpillSorter(room, stats);
  }

  add(site: string, label: Uint8Array | undefined, form: Uint8Array): void {
    this.#addTo(ALL, nothing, label, form);
    this.#addTo(SITE, encodeText(site), label, form);
  }

  #addTo(kind: number, site: Uint8Array, label: Uint8Array | undefined, form: Uint8Array): void {
    const row = putPart(putPart(this.#row.clear().byte(kind), site), form);
    if (label === undefined) row.byte(UNLABELLED);
    else row.byte(LABELLED).raw(label);
    this.#forms.add(row.bytes, 0, row.length, row.length);
  }

  finish(): { readonly all: ListMeasures; readonly sites: readonly SiteMeasures[] } {
    this.#countForms(this.#forms.finish());
    this.#countContents(this.#contents.finish());
    const names = [...this.#tallies.keys()].filter((name) => name !== '');
    const sites = names.map((name) => ({ site: name.slice(1), ...measuresOf(this.#tallies.get(name)!) }));
    return {
      all: measuresOf(this.#tallies.get('') ?? emptyTally()),
      sites: sites.sort((a, b) => (a.site < b.site ? -1 : 1)),
    };
  }

  #countForms(rows: RowReader): void {
    const scope = new Run();
    const form = new Run();
    const label = new Run();
    let group: FormGroup | undefined;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const scopeEnd = partEnd(row, row.keyStart + 1);
      const formEnd = partEnd(row, scopeEnd);
      if (form.isNew(row, row.keyStart, formEnd)) {
        group?.close();
        scope.isNew(row, row.keyStart, scopeEnd);
        label.forget();
        const tally = this.#tallyOf(row, scopeEnd);
        group = new FormGroup(tally, (content, isKept) => this.#addContent(scope.bytes, content, isKept));
      }
      const isLabelled = row.bytes[formEnd] === LABELLED;
      group!.add(isLabelled, isLabelled && label.isNew(row, formEnd + 1, row.keyEnd) ? label.bytes : undefined);
    }
    group?.close();
    rows.close();
  }

  #addContent(scope: Uint8Array, label: Uint8Array, kept: 'kept' | 'not kept'): void {
    const row = this.#row.clear().raw(scope).raw(label);
    const keyLength = row.length;
    row.byte(kept === 'kept' ? 1 : 0);
    this.#contents.add(row.bytes, 0, row.length, keyLength);
  }

  #countContents(rows: RowReader): void {
    const content = new Run();
    let tally: Tally | undefined;
    let isKept = true;
    const close = () => {
      if (tally === undefined) return;
      tally.contents++;
      if (!isKept) tally.lostPages++;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (content.isNew(row, row.keyStart, row.keyEnd)) {
        close();
        tally = this.#tallyOf(row, partEnd(row, row.keyStart + 1));
        isKept = false;
      }
      if (row.bytes[row.keyEnd] === 1) isKept = true;
    }
    close();
    rows.close();
  }

  /** Tallies are named '' for all, and by a mark and its name for a site, which may be nameless. */
  #tallyOf({ bytes, keyStart }: Row, scopeEnd: number): Tally {
    const name = bytes[keyStart] === ALL ? '' : `=${decodeText(bytes, keyStart + 5, scopeEnd)}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) this.#tallies.set(name, (tally = emptyTally()));
    return tally;
  }
}

/** The URLs of one form, those without label first, then label by label. Of the labels only the commonest is held. */
class FormGroup {
  readonly #tally: Tally;
  readonly #onContent: (label: Uint8Array, kept: 'kept' | 'not kept') => void;
  #labelled = 0;
  #labels = 0;
  #label: Uint8Array = nothing;
  #count = 0;
  #commonest: Uint8Array | undefined;
  #most = 0;

  constructor(tally: Tally, onContent: (label: Uint8Array, kept: 'kept' | 'not kept') => void) {
    this.#tally = tally;
    this.#onContent = onContent;
    tally.forms++;
  }

  /** `next` is the label where it is another one than that of the URL before. */
  add(isLabelled: boolean, next: Uint8Array | undefined): void {
    this.#tally.urls++;
    if (!isLabelled) return;
    if (next !== undefined) {
      this.#closeLabel();
      this.#label = next;
      this.#labels++;
      this.#count = 0;
    }
    this.#labelled++;
    this.#count++;
  }

  close(): void {
    this.#closeLabel();
    if (this.#commonest !== undefined) this.#onContent(this.#commonest, 'kept');
    this.#tally.labelled += this.#labelled;
    this.#tally.pairs += this.#labels;
    if (this.#labels > 1) this.#tally.falseMerges += this.#labelled;
  }

  #closeLabel(): void {
    if (this.#labels === 0) return;
    if (this.#count <= this.#most) return this.#onContent(this.#label, 'not kept');
    if (this.#commonest !== undefined) this.#onContent(this.#commonest, 'not kept');
    this.#commonest = this.#label;
    this.#most = this.#count;
  }
}

function emptyTally(): Tally {
  return { urls: 0, forms: 0, labelled: 0, pairs: 0, contents: 0, falseMerges: 0, lostPages: 0 };
}

function measuresOf({ urls, forms, labelled, pairs, contents, falseMerges, lostPages }: Tally): ListMeasures {
  const dustBefore = labelled - contents;
  const dustAfter = pairs - contents;
  return {
    urls,
    forms,
    redundancy: shareOf(urls - forms, urls),
    labelled,
    contents,
    dustBefore,
    dustAfter,
    coverage: shareOf(dustBefore - dustAfter, dustBefore),
    falseMerges,
    falseMergeShare: shareOf(falseMerges, labelled),
    lostPages,
  };
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
