// Which lines does `--unique` write where rules are only keys? A key says which forms are one page, and not which of
// them is its name; the list says that. One line is written for each group of forms with one key, at the place of the
// group's first line:
//
//     votes     each key that would change the form votes for it if the log has more hits at the URLs that the key
//               changes, and against it if it has more at their images
//     lines     then the form of most lines of the list
//     place     then the form that comes first
//
// With `--pairs` all lines are written, each with the name of its group. All lines wait for the end, in external sorts:
//
//     groups    [key | form] votes, form within the line, position, line    -> the best form of each key
//     names     [key] form                                                  -> with --pairs, read beside `groups` again
//     lines     [position] line
import { readU32, RowWriter, type Row, type RowReader } from '../base/row.js';
import { type SpillOptions, SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import type { Canonizer } from './canonizer.js';
import { type Keeping, type MappedLines, MARKS } from './lines.js';
import type { Savings } from './savings.js';
import { payloads, POSITION_BYTES, pushPosition } from './unique.js';

/** What all forms of one page share, and how much the log speaks for this form as the page's name. */
export interface KeyOfForm {
  readonly key: Uint8Array;
  /** From -100 to 100. */
  readonly votes: number;
}

const MOST_VOTES = 100;

/** By a canonizer whose rules include keys. */
export function keysBy(canonizer: Pick<Canonizer, 'trace' | 'canonical'>): (form: Uint8Array) => KeyOfForm {
  return (form) => {
    let votes = 0;
    canonizer.trace(form, (_round, rule) => {
      if (rule?.hits !== undefined) votes += Math.sign(rule.hits.given - rule.hits.kept);
    });
    const { bytes, start, end, isChanged } = canonizer.canonical;
    const key = isChanged ? bytes.slice(start, end) : form;
    return { key, votes: Math.max(-MOST_VOTES, Math.min(MOST_VOTES, votes)) };
  };
}

/** Behind the key of a row of `groups`: votes, where the form is in the line, position. */
const VOTES = 0;
const FORM_START = 1;
const FORM_END = 5;
const POSITION = 9;
const LINE = POSITION + POSITION_BYTES;

export class NamedGroups implements Keeping {
  readonly #keyOf: (form: Uint8Array) => KeyOfForm;
  readonly #isAll: boolean;
  readonly #groups: SpillSorter;
  readonly #lines: SpillSorter;
  readonly #room: SpillOptions;
  readonly #row = new RowWriter();
  #position = 0;
  /** Lines that are not written; known at the end. */
  dropped = 0;

  readonly #savings: Savings | undefined;

  /** `all`: every line is written, with the name of its group. */
  constructor(room: SpillOptions, keyOf: (form: Uint8Array) => KeyOfForm, write: 'all' | 'names', savings?: Savings) {
    this.#savings = savings;
    this.#keyOf = keyOf;
    this.#isAll = write === 'all';
    this.#room = roomFor('canonize/named', room);
    this.#groups = new SpillSorter(this.#room);
    this.#lines = new SpillSorter(this.#room);
  }

  /** All lines wait. */
  keep({ bytes, marks }: MappedLines): Uint8Array {
    if (marks === undefined) return bytes;
    let start = 0;
    for (let at = 0; at < marks.length; at += MARKS) {
      this.#take(bytes, start, marks[at]!, marks[at + 1]!, marks[at + 2]!);
      if (marks[at + 1]! >= 0) this.#savings?.add(bytes, marks, at, undefined);
      start = marks[at + MARKS - 1]!;
    }
    // Without marks, this is part of a line that is too long to be a URL.
    if (marks.length === 0) this.#take(bytes, 0, bytes.length, -1, -1);
    return bytes.subarray(0, 0);
  }

  /** The line bytes[start, end), whose form is bytes[formStart, formEnd); -1 for a line that is no URL. */
  #take(bytes: Uint8Array, start: number, end: number, formStart: number, formEnd: number): void {
    const row = this.#row.clear();
    const position = this.#position++;
    if (formStart < 0) {
      pushPosition(row, position).raw(bytes.subarray(start, end));
      this.#lines.add(row.bytes, 0, row.length, POSITION_BYTES);
      return;
    }
    const form = bytes.slice(formStart, formEnd);
    const { key, votes } = this.#keyOf(form);
    row.u32(key.length).raw(key).raw(form);
    const keyLength = row.length;
    row
      .byte(votes + MOST_VOTES)
      .u32(formStart - start)
      .u32(formEnd - start);
    pushPosition(row, position).raw(bytes.subarray(start, end));
    this.#groups.add(row.bytes, 0, row.length, keyLength);
  }

  /** The lines in their order; each piece is valid until the next. */
  *end(): Iterable<Uint8Array> {
    const groups = this.#groups.finish();
    const names = new SpillSorter(this.#room);
    for (const best of eachBest(groups)) {
      if (this.#isAll) this.#addName(best, names);
      else this.#addLine(best);
      if (!this.#isAll) this.dropped += best.lines - 1;
    }
    if (this.#isAll) {
      groups.rewind();
      this.#addNamed(groups, names.finish());
    }
    groups.close();
    yield* payloads(this.#lines.finish());
  }

  #addLine({ firstPosition, text, firstEnding }: Best): void {
    const row = this.#row.clear().raw(firstPosition).raw(text).raw(firstEnding);
    this.#lines.add(row.bytes, 0, row.length, POSITION_BYTES);
  }

  #addName({ key, form }: Best, names: SpillSorter): void {
    const row = this.#row.clear().raw(key).raw(form);
    names.add(row.bytes, 0, row.length, key.length);
  }

  /** Both readers have the keys in the same order, as every key begins with its length. */
  #addNamed(groups: RowReader, names: RowReader): void {
    let name = names.next();
    for (let row = groups.next(); row !== undefined; row = groups.next()) {
      while (name !== undefined && !isOfKey(row, name.bytes, name.keyStart, name.keyEnd)) name = names.next();
      const at = row.keyEnd;
      const [start, end] = [readU32(row.bytes, at + FORM_START), readU32(row.bytes, at + FORM_END)];
      const line = at + LINE;
      const named = this.#row
        .clear()
        .raw(row.bytes.subarray(at + POSITION, line + start))
        .raw(name!.bytes.subarray(name!.keyEnd, name!.end))
        .raw(row.bytes.subarray(line + end, row.end));
      this.#lines.add(named.bytes, 0, named.length, POSITION_BYTES);
    }
    names.close();
  }
}

/** A group and the form that is its name. */
interface Best {
  /** As in the rows, with its length. */
  readonly key: Uint8Array;
  readonly form: Uint8Array;
  /** The first line with that form, without its ending. */
  readonly text: Uint8Array;
  /** The place of the group's first line, as in the rows, and its line ending, which the last line of a list may lack. */
  readonly firstPosition: Uint8Array;
  readonly firstEnding: Uint8Array;
  readonly lines: number;
}

interface Candidate {
  readonly form: Uint8Array;
  readonly text: Uint8Array;
  readonly votes: number;
  readonly position: Uint8Array;
  lines: number;
}

/** Rows come key by key and form by form, lines of one form in their order. */
function* eachBest(rows: RowReader): Generator<Best> {
  let group: Group | undefined;
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    if (group === undefined || !isOfKey(row, group.key, 0, group.key.length)) {
      if (group !== undefined) yield group.best();
      group = new Group(row);
    }
    group.add(row);
  }
  if (group !== undefined) yield group.best();
}

class Group {
  readonly key: Uint8Array;
  #lines = 0;
  #first: { position: Uint8Array; ending: Uint8Array };
  #best: Candidate | undefined;
  #current: Candidate | undefined;

  constructor(row: Row) {
    this.key = row.bytes.slice(row.keyStart, row.keyStart + 4 + readU32(row.bytes, row.keyStart));
    this.#first = { position: positionIn(row), ending: endingIn(row) };
  }

  add(row: Row): void {
    this.#lines++;
    const position = positionIn(row);
    if (Buffer.compare(position, this.#first.position) < 0) this.#first = { position, ending: endingIn(row) };
    const form = row.bytes.subarray(row.keyStart + this.key.length, row.keyEnd);
    if (this.#current === undefined || Buffer.compare(this.#current.form, form) !== 0) {
      this.#settle();
      this.#current = candidateOf(row, form.slice());
    }
    this.#current.lines++;
  }

  best(): Best {
    this.#settle();
    const { form, text } = this.#best!;
    const { position: firstPosition, ending: firstEnding } = this.#first;
    return { key: this.key, form, text, firstPosition, firstEnding, lines: this.#lines };
  }

  #settle(): void {
    const current = this.#current;
    if (current !== undefined && (this.#best === undefined || isBetter(current, this.#best))) this.#best = current;
  }
}

function candidateOf(row: Row, form: Uint8Array): Candidate {
  const line = row.keyEnd + LINE;
  const text = row.bytes.slice(line, line + readU32(row.bytes, row.keyEnd + FORM_END));
  return { form, text, votes: row.bytes[row.keyEnd + VOTES]!, position: positionIn(row), lines: 0 };
}

function endingIn({ bytes, keyEnd, end }: Row): Uint8Array {
  return bytes.slice(keyEnd + LINE + readU32(bytes, keyEnd + FORM_END), end);
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.votes !== b.votes) return a.votes > b.votes;
  if (a.lines !== b.lines) return a.lines > b.lines;
  return Buffer.compare(a.position, b.position) < 0;
}

function positionIn({ bytes, keyEnd }: Row): Uint8Array {
  return bytes.slice(keyEnd + POSITION, keyEnd + LINE);
}

/** Does the row belong to the key bytes[start, end)? */
function isOfKey({ bytes, keyStart, keyEnd }: Row, key: Uint8Array, start: number, end: number): boolean {
  if (keyEnd - keyStart < end - start) return false;
  for (let at = 0; at < end - start; at++) if (bytes[keyStart + at] !== key[start + at]) return false;
  return true;
}
