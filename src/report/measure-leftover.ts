// Which dust is left after canonization (Figure 8 of the paper)? One external sort:
//
//   label | form      a row for each labelled URL: every form of a content but the first is a duplicate that is left
//
// The class of a duplicate follows from its form and the first form of its content, in this order:
//
//   image        the path of either ends like that of an image or icon
//   query        they differ in nothing but the query: rules of parameters would make them one
//   replicated   the last parts of their paths are the same: a document that stands in several places
//   page         the same content at MANY forms or more, and none of the above: an error page or an empty result that
//                answers as a page ("soft errors"), or the common part of a template
//   other        anything else
//
// The paper's authors looked at the pages; these classes are judged by URL only.
import { decodeText } from '../base/bytes.js';
import { RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, SpillSorter, type SpillStats } from '../base/spill.js';
import { masked } from '../url/secret.js';
import { partEnd, putPart } from './sort-keys.js';

const LEFTOVER_CLASSES = ['image', 'query', 'replicated', 'page', 'other'] as const;
type LeftoverClass = (typeof LEFTOVER_CLASSES)[number];

/** With this many forms, the same content is no coincidence. */
const MANY = 10;
const IMAGE = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp)$/i;

export interface LeftoverMeasures {
  /** The number of all duplicates left, the sum of the classes. It is `dustAfter` of the whole list. */
  readonly left: number;
  readonly classes: readonly LeftoverCount[];
}

interface LeftoverCount {
  readonly name: LeftoverClass;
  readonly duplicates: number;
  /** The first duplicate in the order of labels and forms, and the form that it duplicates. */
  readonly example: readonly [duplicate: string, first: string] | null;
}

/** Call `add` for each URL, then `finish`. */
export class LeftoverMeter {
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();

  constructor(room: SpillOptions, stats: SpillStats) {
    this.#sorter = new SpillSorter(room, stats);
  }

  add(label: Uint8Array | undefined, form: Uint8Array): void {
    if (label === undefined) return;
    const row = putPart(this.#row.clear(), label).raw(form);
    this.#sorter.add(row.bytes, 0, row.length, row.length);
  }

  finish(): LeftoverMeasures {
    const all = new Counts();
    let content = new Counts();
    let forms = 0;
    const [label, form] = [new Run(), new Run()];
    let first = '';
    const rows = this.#sorter.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const formAt = partEnd(row, row.keyStart);
      if (label.isNew(row, row.keyStart, formAt)) {
        all.add(content, forms);
        content = new Counts();
        forms = 0;
        form.forget();
      }
      if (!form.isNew(row, formAt, row.keyEnd)) continue;
      const text = decodeText(row.bytes, formAt, row.keyEnd);
      if (forms++ === 0) first = text;
      else content.count(classOf(text, first), text, first);
    }
    all.add(content, forms);
    rows.close();
    return all.measures;
  }
}

function classOf(form: string, first: string): LeftoverClass {
  const [path, firstPath] = [pathOf(form), pathOf(first)];
  if (IMAGE.test(path) || IMAGE.test(firstPath)) return 'image';
  if (path === firstPath) return 'query';
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name !== '' && name === firstPath.slice(firstPath.lastIndexOf('/') + 1) ? 'replicated' : 'other';
}

/** The host and path of a URL. */
function pathOf(url: string): string {
  return /^[^?#]*/.exec(url)![0];
}

/** Masks visitors' values, as the report is passed on to others. */
function shown([duplicate, first]: Example): Example {
  return [masked(duplicate), masked(first)];
}

type Example = readonly [duplicate: string, first: string];

class Counts {
  readonly #counts = new Map<LeftoverClass, { duplicates: number; example: Example }>();

  count(name: LeftoverClass, duplicate: string, first: string): void {
    this.#add(name, 1, [duplicate, first]);
  }

  /** Counts the duplicates of a content with this many forms. */
  add(content: Counts, forms: number): void {
    for (const [name, { duplicates, example }] of content.#counts)
      this.#add(name === 'other' && forms >= MANY ? 'page' : name, duplicates, example);
  }

  #add(name: LeftoverClass, duplicates: number, example: Example): void {
    const found = this.#counts.get(name);
    if (found === undefined) this.#counts.set(name, { duplicates, example });
    else found.duplicates += duplicates;
  }

  get measures(): LeftoverMeasures {
    const classes = LEFTOVER_CLASSES.map((name): LeftoverCount => {
      const found = this.#counts.get(name);
      const example = found === undefined ? null : shown(found.example);
      return { name, duplicates: found?.duplicates ?? 0, example };
    });
    return { left: classes.reduce((sum, { duplicates }) => sum + duplicates, 0), classes };
  }
}
