// What has been judged of one hypothesis: its forms, with what the pages of form and image said.
import { IMAGE_UNKNOWN, type Answer, type Asker } from '../answer.js';
import { inDrawOrder, type Change } from '../site-forms.js';

/**
 * For an archive: if it lacks more than this many images for each judged one, the judged ones are exceptions. If a site
 * redirects `/a` to `/a/`, except for feeds, an archive has pages in both forms only of feeds.
 */
const MOST_UNKNOWN = 10;
/** The site's preference counts if at least so many samples show it, and this share of them. */
export const MIN_WORDS = 3;
export const WORD_SHARE = 0.8;

export interface Seen {
  readonly change: Change;
  readonly answer: Extract<Answer, { kind: 'positive' | 'negative' }>;
}

export class Judged {
  /** How many forms could not be judged, by reason. */
  readonly unjudged: Record<string, number> = {};
  /** Set once nothing more may be asked. */
  stop: 'budget' | 'interrupted' | undefined;
  readonly asker: Asker;
  readonly #needsWord: boolean;
  readonly #seen = new Map<string, Seen>();
  /** Forms whose pages turned out to be soft errors. */
  readonly #soft = new Set<string>();
  /** Forms whose images the archive lacks. */
  readonly #unknown = new Set<string>();

  /** `needsWord`: equal pages are not enough, the site itself must prefer the image. */
  constructor(asker: Asker, needsWord: boolean) {
    this.asker = asker;
    this.#needsWord = needsWord;
  }

  has(form: string): boolean {
    return this.#seen.has(form);
  }

  /** Undefined if the form could not be judged, or nothing more may be asked. */
  async ask(change: Change): Promise<Seen | undefined> {
    const { form, image } = change;
    if (this.#soft.has(form.text)) return undefined;
    const known = this.#seen.get(form.text);
    if (known !== undefined && known.change.image === image) return known;
    const answer = await (this.#needsWord ? this.asker.askForWord(form.text, image) : this.asker.ask(form.text, image));
    if (answer.kind === 'stop') {
      this.stop = answer.reason;
      return undefined;
    }
    if (answer.kind === 'unjudged') {
      this.unjudged[answer.reason] = (this.unjudged[answer.reason] ?? 0) + 1;
      if (answer.reason === IMAGE_UNKNOWN) this.#unknown.add(form.text);
      return undefined;
    }
    const seen = { change, answer };
    this.#seen.set(form.text, seen);
    return seen;
  }

  /** Of these changes, those that were judged. */
  seenIn(changes: readonly Change[]): Seen[] {
    return changes.flatMap(({ form }) => this.#seen.get(form.text) ?? []);
  }

  /** The judged forms, as text. */
  sides(changes: readonly Change[]): { readonly positives: string[]; readonly negatives: string[] } {
    const seen = this.seenIn(changes);
    const of = (kind: Seen['answer']['kind']) =>
      seen.filter(({ answer }) => answer.kind === kind).map(({ change }) => change.form.text);
    return { positives: of('positive'), negatives: of('negative') };
  }

  /** Of these changes, those whose images the archive lacks. */
  unknownIn(changes: readonly Change[]): string[] {
    return changes.flatMap(({ form }) => (this.#unknown.has(form.text) ? [form.text] : []));
  }

  /** The number of these changes that were not judged. */
  openIn(changes: readonly Change[]): number {
    return changes.filter(({ form }) => !this.#seen.has(form.text)).length;
  }

  /** Changes that are neither judged nor on the tour, in draw order. */
  unseenOf(changes: readonly Change[], tour: readonly Change[]): Change[] {
    const toured = new Set(tour.map(({ form }) => form));
    return inDrawOrder(changes.filter(({ form }) => !this.#seen.has(form.text) && !toured.has(form)));
  }

  /** True if the judged images are typical of those that an archive lacks. */
  isTypical(): boolean {
    return (this.unjudged[IMAGE_UNKNOWN] ?? 0) <= MOST_UNKNOWN * this.#seen.size;
  }

  /** Withdraws positives whose page has proved to be a soft error since; returns their number. */
  dropSoft(): number {
    let dropped = 0;
    for (const [form, { answer }] of this.#seen) {
      if (answer.kind !== 'positive' || answer.document === undefined || !this.asker.judge.isSoft(answer.document))
        continue;
      this.#seen.delete(form);
      this.#soft.add(form);
      this.unjudged['soft-error'] = (this.unjudged['soft-error'] ?? 0) + 1;
      dropped++;
    }
    return dropped;
  }

  /** Judged forms that are not in these: how many confirm the rule, and how many refute it. */
  leftOut(inReach: readonly Seen[]): { readonly positive: number; readonly negative: number } {
    const inside = new Set(inReach);
    const outside = [...this.#seen.values()].filter((seen) => !inside.has(seen));
    const positive = outside.filter(({ answer }) => answer.kind === 'positive').length;
    return { positive, negative: outside.length - positive };
  }
}

/** True if the site itself uses the forms, not their images. */
export function isBackward(seen: readonly Seen[]): boolean {
  const same = seen.filter(({ answer }) => answer.isSame);
  const backward = same.filter(({ answer }) => answer.backward !== undefined && answer.forward === undefined);
  return backward.length >= MIN_WORDS && backward.length >= WORD_SHARE * same.length;
}
