// What does the server redirect already, which links still lead there, and what do those see who follow them?
import { decodeText } from '../../../base/bytes.js';
import { TopK } from '../../../base/top-k.js';
import { isDocumentUrl } from '../../../log/filters.js';
import { masked } from '../../../url/secret.js';
import type { RedirectedFacts, RedirectedUrl } from '../model.js';
import type { AnsweredUrl, AnswerMeter } from './answers.js';

/** Those of pages are read, so documents come first, then what is redirected most. */
function byDocument(a: RedirectedUrl, b: RedirectedUrl): number {
  return Number(isDocumentUrl(b.url)) - Number(isDocumentUrl(a.url)) || b.hits - a.hits || compare(a.url, b.url);
}

const MOST_URLS = 50;
const MOST_REFERRERS = 3;

type Sums = { -readonly [Key in keyof Omit<RedirectedFacts, 'links' | 'troubles'>]: RedirectedFacts[Key] };

/** Build (`add`), then read (`finish`). */
export class RedirectedMeter {
  readonly #sums: Sums = { urls: 0, hits: 0, botHits: 0, followed: 0, broken: 0, chained: 0 };
  readonly #most = new TopK<RedirectedUrl>(MOST_URLS, byDocument);
  readonly #worst = new TopK<RedirectedUrl>(
    MOST_URLS,
    (a, b) => b.broken - a.broken || b.chained - a.chained || compare(a.url, b.url),
  );

  add({ url, redirected: hits, redirectedBots, followed, broken, chained, next }: AnsweredUrl): void {
    if (hits === 0) return;
    const sums = this.#sums;
    sums.urls++;
    sums.hits += hits;
    sums.botHits += redirectedBots;
    sums.followed += followed;
    sums.broken += broken;
    sums.chained += chained;
    const one = { url: decodeText(url), hits, next: decodeText(next), broken, chained, referrers: [] };
    this.#most.add(one);
    if (broken + chained > 0) this.#worst.add(one);
  }

  /** Undefined if nothing is redirected. */
  finish(answers: AnswerMeter): RedirectedFacts | undefined {
    if (this.#sums.urls === 0) return undefined;
    const links = this.#most.finish();
    const referrers = new Map(
      links.map(({ url }) => [url, new TopK<RedirectedUrl['referrers'][number]>(MOST_REFERRERS, byHits)]),
    );
    answers.eachReferrer((url, referrer, hits) =>
      referrers.get(decodeText(url))?.add({ url: masked(decodeText(referrer)), hits }),
    );
    return {
      ...this.#sums,
      links: links.map((one) => shownUrl({ ...one, referrers: referrers.get(one.url)!.finish() })),
      troubles: this.#worst.finish().map(shownUrl),
    };
  }
}

/** Without values of visitors: a report is passed on. */
function shownUrl(one: RedirectedUrl): RedirectedUrl {
  return { ...one, url: masked(one.url), next: one.next === '' ? '' : masked(one.next) };
}

function byHits(a: RedirectedUrl['referrers'][number], b: RedirectedUrl['referrers'][number]): number {
  return b.hits - a.hits || compare(a.url, b.url);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
