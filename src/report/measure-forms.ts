// How do canonical forms change a list (SPEC 12)? Two external sorts, the second fed by the first:
//
//   forms      scope | form | label or none : what     a row for each URL in each scope: its site, and the whole list
//   contents   scope | label                           a row for each form and label in it: is the label its commonest?
import { decodeText, encodeText } from '../base/bytes.js';
import { type Row, type RowReader, RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, SpillSorter, type SpillStats } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { partEnd, putPart } from './sort-keys.js';

/** Measures of forms and labels. */
export interface FormMeasures {
  readonly urls: number;
  readonly forms: number;
  /** Null for an empty list. The shares below are also null if their denominator is 0. */
  readonly redundancy: number | null;
  /** URLs that are shorter than their form, in bytes. */
  readonly longer: number;
  /** URLs that stayed unchanged because no canonical form was found. */
  readonly unsettled: number;
  readonly labelled: number;
  readonly contents: number;
  readonly dustBefore: number;
  readonly dustAfter: number;
  readonly coverage: number | null;
  readonly paperCoverage: number | null;
  readonly falseMerges: number;
  readonly falseMergeShare: number | null;
  readonly inMixedForms: number;
  readonly lostPages: number;
}

const ALL = 0;
const SITE = 1;
const UNLABELLED = 0;
const LABELLED = 1;
const nothing = new Uint8Array(0);

/** Bits for the properties of a URL and its form. */
const LONGER = 1;
const UNSETTLED = 2;

/** A URL of the list with its form, and its content if that is known. */
interface FormOfUrl {
  readonly site: string;
  readonly label: Uint8Array | undefined;
  readonly form: Uint8Array;
  /** True if the form is longer than the URL in the list. */
  readonly isLonger: boolean;
  readonly isUnsettled: boolean;
}

/** Running counts of one scope. */
interface Tally {
  urls: number;
  forms: number;
  longer: number;
  unsettled: number;
  labelled: number;
  /** Forms of labelled URLs. */
  labelledForms: number;
  /** Distinct pairs of form and label. */
  pairs: number;
  contents: number;
  falseMerges: number;
  inMixedForms: number;
  lostPages: number;
}

/** Call `add` for each URL, then `finish`. */
export class FormMeter {
  readonly #forms: SpillSorter;
  readonly #contents: SpillSorter;
  readonly #row = new RowWriter();
  readonly #tallies = new Map<string, Tally>();

  constructor(room: SpillOptions, stats: SpillStats) {
    this.#forms = new SpillSorter(roomFor('meter/sort', room), stats);
    this.#contents = new SpillSorter(roomFor('meter/sort', room), stats);
  }

  add(one: FormOfUrl): void {
    this.#addTo(ALL, nothing, one);
    this.#addTo(SITE, encodeText(one.site), one);
  }

  #addTo(kind: number, site: Uint8Array, { label, form, isLonger, isUnsettled }: FormOfUrl): void {
    const row = putPart(putPart(this.#row.clear().byte(kind), site), form);
    if (label === undefined) row.byte(UNLABELLED);
    else row.byte(LABELLED).raw(label);
    const keyLength = row.length;
    row.byte((isLonger ? LONGER : 0) | (isUnsettled ? UNSETTLED : 0));
    this.#forms.add(row.bytes, 0, row.length, keyLength);
  }

  /** Returns the measures of all, and of the sites sorted by name. */
  finish(): { readonly all: FormMeasures; readonly sites: readonly (FormMeasures & { readonly site: string })[] } {
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
      group!.note(row.bytes[row.keyEnd]!);
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

  /** The tally of the whole list has the key ''. The key of a site is a prefix and its name, as the name may be empty. */
  #tallyOf({ bytes, keyStart }: Row, scopeEnd: number): Tally {
    const name = bytes[keyStart] === ALL ? '' : `=${decodeText(bytes, keyStart + 5, scopeEnd)}`;
    let tally = this.#tallies.get(name);
    if (tally === undefined) this.#tallies.set(name, (tally = emptyTally()));
    return tally;
  }
}

/** The URLs of one form: first those without a label, then label by label. Holds only the most common label. */
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

  note(bits: number): void {
    if ((bits & LONGER) !== 0) this.#tally.longer++;
    if ((bits & UNSETTLED) !== 0) this.#tally.unsettled++;
  }

  /** `next` is the label if it differs from that of the URL before. */
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
    if (this.#labels > 0) this.#tally.labelledForms++;
    if (this.#labels > 1) this.#tally.inMixedForms += this.#labelled;
    this.#tally.falseMerges += this.#labelled - this.#most;
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
  const list = { urls: 0, forms: 0, longer: 0, unsettled: 0 };
  return {
    ...list,
    labelled: 0,
    labelledForms: 0,
    pairs: 0,
    contents: 0,
    falseMerges: 0,
    inMixedForms: 0,
    lostPages: 0,
  };
}

function measuresOf(tally: Tally): FormMeasures {
  const { urls, forms, longer, unsettled, labelled, labelledForms, pairs, contents } = tally;
  const dustBefore = labelled - contents;
  const dustAfter = pairs - contents;
  return {
    urls,
    forms,
    redundancy: shareOf(urls - forms, urls),
    longer,
    unsettled,
    labelled,
    contents,
    dustBefore,
    dustAfter,
    coverage: shareOf(dustBefore - dustAfter, dustBefore),
    paperCoverage: shareOf(labelled - labelledForms, dustBefore),
    falseMerges: tally.falseMerges,
    falseMergeShare: shareOf(tally.falseMerges, labelled),
    inMixedForms: tally.inMixedForms,
    lostPages: tally.lostPages,
  };
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
