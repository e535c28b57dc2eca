// One night: finds out which of tonight's inputs are new, what to read of each, and makes the fold.
//
//   inputs ─→ recognized ─→ reads:  whole lines | an incomplete line   | whole lines | …
//                                      ↓              ↓
//                            rows of the run      a row by itself
import type { Input } from '../log/bytes.js';
import type { FormCounts } from '../log/compose.js';
import type { FormatOptions } from '../log/format/choose.js';
import type { ReadReport } from '../log/read.js';
import { type InputSummary, type RecordBatch, withoutText } from '../log/record.js';
import type { SpillStats } from '../base/spill.js';
import { UrlListBuilder, type ListOptions, type SiteOf } from '../table/url-list.js';
import type { SiteReader } from '../table/merged-sites.js';
import { summaryOf, type Fold, type FoldedInput, type Night, type OpenLine, type StateContent } from './content.js';
import { recognize, type Content } from './recognize.js';
import { RowBytes, rowsOfSites } from './rows.js';

const SLASH = 0x2f;

/** A text that was read on another night, or earlier tonight under another name. */
interface KnownText {
  readonly bytes: number;
  readonly sha256: string;
  readonly wholeLines: number;
  readonly night: Night;
  /** The fold's record of it; undefined until it has been read. */
  readonly folded: FoldedInput | undefined;
  readonly plan: Plan | undefined;
}

/** What to do with an input. */
export interface Plan {
  readonly input: Input;
  readonly content: Content;
  /** The known text that this input equals or continues. */
  readonly known: KnownText | undefined;
  /** True if another input of tonight continues this one's incomplete line. */
  goesOn: boolean;
}

/** Recognizes tonight's inputs, each among those of the state and tonight's earlier ones. */
export async function planNight(
  inputs: readonly Input[],
  { folds }: StateContent,
  night: Night,
  options: FormatOptions,
): Promise<Plan[]> {
  const known: KnownText[] = folds.flatMap((fold) =>
    fold.inputs.map((folded) => ({ ...folded, night: fold.night, folded, plan: undefined })),
  );
  const plans: Plan[] = [];
  for (const input of inputs) {
    const { content, known: text } = await recognize(input, known, options);
    const plan = { input, content, known: text, goesOn: false };
    plans.push(plan);
    if (content.bytes === 0 || isKnown(plan)) continue;
    if (text?.plan !== undefined) text.plan.goesOn = true;
    known.push({ ...content, night, folded: undefined, plan });
  }
  return plans;
}

/** True if all of the input was read before. */
export function isKnown({ content, known }: Plan): boolean {
  return known !== undefined && known.bytes === content.bytes;
}

/** The parts of the inputs that earlier nights have read: their rows are in the state, but not who asked for them. */
export function readBefore(plans: readonly Plan[]): Input[] {
  return plans.flatMap(({ input, known }) =>
    known?.folded === undefined ? [] : [{ ...input, range: { start: 0, end: known.wholeLines } }],
  );
}

/** Builds the table of the new rows, and records their inputs. */
export class NightBuilder {
  /** What to read, in this order. Pass the batches to `add`. */
  readonly reads: readonly Input[];
  readonly #plans: readonly Plan[];
  readonly #steps: readonly Step[];
  readonly #list: UrlListBuilder;
  readonly #openLists = new Map<Plan, { readonly list: UrlListBuilder; readonly forms: FormCounts }>();
  readonly #openRows = new Map<Plan, string>();
  readonly #siteOf: SiteOf;
  readonly #limits: ListOptions;
  readonly #stats: SpillStats;

  constructor(plans: readonly Plan[], siteOf: SiteOf, limits: ListOptions, stats: SpillStats) {
    this.#plans = plans;
    this.#steps = plans.flatMap(stepsOf);
    this.reads = this.#steps.map(({ plan, range }) => ({ ...plan.input, range }));
    this.#siteOf = siteOf;
    this.#limits = limits;
    this.#stats = stats;
    this.#list = new UrlListBuilder(siteOf, limits, stats);
  }

  /** True if there is nothing to read. */
  get isIdle(): boolean {
    return this.#steps.length === 0;
  }

  /** Adds a batch of the read with this number. */
  add(batch: RecordBatch, read: number): void {
    const { plan, isOpenLine } = this.#steps[read]!;
    if (!isOpenLine) return this.#list.add(batch);
    const { list, forms } = this.#openListOf(plan);
    list.add(batch);
    for (let row = 0; row < batch.rows; row++)
      forms[batch.bytes[batch.urlStart[row]!] === SLASH ? 'path' : 'absolute']++;
  }

  /** The sites of all whole lines. Nothing can be added after this. */
  finish(): SiteReader {
    return this.#list.finish();
  }

  /** The fold, after everything was read. `report` has the reads in order. */
  fold(report: ReadReport, night: Night): Omit<Fold, 'number'> {
    const inputs = this.#plans.flatMap((plan) => {
      if (plan.content.bytes === 0 || isKnown(plan)) return [];
      const { bytes, sha256, wholeLines } = plan.content;
      const openLine = this.#openLineOf(plan, report);
      return [{ bytes, sha256, wholeLines, summary: this.#summaryOf(plan, report), ...(openLine && { openLine }) }];
    });
    const forms = { ...report.forms };
    for (const { forms: open } of this.#openLists.values()) {
      forms.absolute -= open.absolute;
      forms.path -= open.path;
    }
    return { night, forms, inputs };
  }

  /** The summaries of tonight's inputs, including those that were read on an earlier night. */
  summaries(report: ReadReport): InputSummary[] {
    return this.#plans.map((plan): InputSummary => {
      const { name } = plan.input;
      if (isKnown(plan)) {
        const { folded, plan: other } = plan.known!;
        return { ...(folded === undefined ? this.#whole(other!, report) : summaryOf(folded)), name };
      }
      return this.#whole(plan, report);
    });
  }

  #whole(plan: Plan, report: ReadReport): InputSummary {
    const openLine = this.#openLineOf(plan, report);
    const { bytes, sha256, wholeLines } = plan.content;
    return summaryOf({
      bytes,
      sha256,
      wholeLines,
      summary: this.#summaryOf(plan, report),
      ...(openLine && { openLine }),
    });
  }

  #summaryOf(plan: Plan, report: ReadReport): InputSummary {
    const { reason } = plan.content;
    const [lines, open] = [this.#readOf(plan, report, false), this.#readOf(plan, report, true)];
    const nothing = { lines: 0, records: 0, dropped: {}, rejected: {} };
    const format = open?.format ?? 'unknown';
    const found = (lines && withoutText(lines)) ?? { name: plan.input.name, format, ...nothing, truncated: false };
    return reason === null ? found : { ...found, truncated: true, reason };
  }

  #openLineOf(plan: Plan, report: ReadReport): OpenLine | undefined {
    const summary = this.#readOf(plan, report, true);
    if (summary === undefined) return undefined;
    const { list, forms } = this.#openListOf(plan);
    const rows = this.#openRows.get(plan) ?? bytesOf(list.finish());
    this.#openRows.set(plan, rows);
    return { summary, forms, rows };
  }

  #openListOf(plan: Plan): { readonly list: UrlListBuilder; readonly forms: FormCounts } {
    const known = this.#openLists.get(plan);
    if (known !== undefined) return known;
    const { tmpdir } = this.#limits;
    const list = new UrlListBuilder(this.#siteOf, { memoryBytes: 1 << 20, tmpdir }, this.#stats);
    const made = { list, forms: { absolute: 0, path: 0 } };
    this.#openLists.set(plan, made);
    return made;
  }

  #readOf(plan: Plan, { inputs }: ReadReport, isOpenLine: boolean): InputSummary | undefined {
    return inputs[this.#steps.findIndex((step) => step.plan === plan && step.isOpenLine === isOpenLine)];
  }
}

function bytesOf(sites: SiteReader): string {
  const rows = new RowBytes();
  for (const row of rowsOfSites(sites)) rows.add(row);
  sites.close();
  return rows.toBase64();
}

interface Step {
  readonly plan: Plan;
  readonly range: { readonly start: number; readonly end: number };
  readonly isOpenLine: boolean;
}

function stepsOf(plan: Plan): Step[] {
  if (isKnown(plan)) return [];
  const { bytes, wholeLines } = plan.content;
  const start = plan.known?.wholeLines ?? 0;
  const steps: Step[] = [];
  // The reader reports an input that is empty or cannot be read.
  if (start < wholeLines || bytes === 0) steps.push({ plan, range: { start, end: wholeLines }, isOpenLine: false });
  if (wholeLines < bytes && !plan.goesOn)
    steps.push({ plan, range: { start: wholeLines, end: bytes }, isOpenLine: true });
  return steps;
}

/** The state without incomplete lines that tonight's inputs continue. */
export function withoutContinued(content: StateContent, plans: readonly Plan[]): StateContent {
  const continued = new Set(plans.filter((plan) => !isKnown(plan)).map(({ known }) => known?.folded));
  const folds = content.folds.map((fold) => ({
    ...fold,
    inputs: fold.inputs.map((input) => {
      if (!continued.has(input)) return input;
      const { openLine: _, ...rest } = input;
      return rest;
    }),
  }));
  return { ...content, folds };
}
