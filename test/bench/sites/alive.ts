// Are there pages at canonical forms? The live site is asked once for each form that is not the URL itself: one that
// does not answer 200 without a redirect is dead, for the URLs that answer so themselves today. Answers are kept, as
// seeds lead to the same forms.
import { askFor } from './ask.js';
import { eachAtOnce } from './each-at-once.js';

export interface DeadForms {
  /** URLs that answer 200 and whose form does not. */
  readonly urls: number;
  /** Of these, with a form that redirects. */
  readonly redirecting: number;
  /** Over the URLs of the list. */
  readonly share: number;
}

export class LiveSite {
  readonly #statuses = new Map<string, number>();

  async deadForms(urls: Iterable<string>, forms: ReadonlyMap<string, string>): Promise<DeadForms> {
    const all = [...urls];
    const changed = all.filter((url) => (forms.get(url) ?? url) !== url);
    await this.#ask(changed.map((url) => forms.get(url)!));
    const suspect = changed.filter((url) => this.#statuses.get(forms.get(url)!) !== 200);
    await this.#ask(suspect);
    const dead = suspect.filter((url) => this.#statuses.get(url) === 200);
    const redirecting = dead.filter((url) => Math.floor(this.#statuses.get(forms.get(url)!)! / 100) === 3);
    return { urls: dead.length, redirecting: redirecting.length, share: dead.length / Math.max(1, all.length) };
  }

  async #ask(urls: readonly string[]): Promise<void> {
    const unknown = [...new Set(urls)].filter((url) => !this.#statuses.has(url));
    await eachAtOnce(4, unknown, async (url) => {
      // A form that is not a URL of this machine (another host, no port) is dead as well.
      const isOurs = /^http:\/\/[\w.-]*localhost:\d+([/?]|$)/.test(url);
      this.#statuses.set(url, isOurs ? ((await askFor(url))?.status ?? 0) : 0);
    });
  }
}
