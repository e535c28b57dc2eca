// What is the answer for one URL, without following redirects? It comes from the memory of this run, else from the
// cache of earlier runs, else from the site, if robots.txt allows the request.
import { withoutText } from '../../sketch/document.js';
import type { Answered } from '../source.js';
import { answerIn, conditionsOf, unavailable, type Answer } from './answer.js';
import type { FetchCache } from './cache.js';
import { createGetter } from './exchange.js';
import type { Guard } from './guard.js';
import type { LiveSettings } from './settings.js';
import { createRobotsAccess } from './robots-access.js';
import { createHostLines } from './politeness.js';
import { createSender } from './sender.js';
import type { Target } from './target.js';

/** Most URLs are fetched once; a second fetch is remembered separately. */
export type AskTime = 'once' | 'again';

/** The most packed text that a run keeps, enough for some 30,000 pages. */
const MAX_TEXT_BYTES = 128 << 20;

export interface Asker {
  /** Repeated calls for the same target and time give the same answer, until it is renewed. */
  ask(target: Target, site: string, time: AskTime): Promise<Answer>;
  /**
   * When an earlier run got the answer that `ask` gives for `once`, in milliseconds since 1970; undefined for this run.
   */
  keptAt(target: Target): number | undefined;
  /** True if this run or an earlier one has an answer for the target. */
  isKept(target: Target): boolean;
  /**
   * Requests the page again if the answer is of an earlier run. If the new answer is unavailable, the old one stays.
   */
  renew(target: Target, site: string): Promise<Answer>;
  readonly requests: number;
  readonly answered: Answered;
  close(): Promise<void>;
}

/** The key of an answer. Fetched URLs have no fragment, so a fragment can mark the second fetch. */
function keyOf(target: Target, time: AskTime): string {
  return time === 'once' ? target.url : `${target.url}#${time}`;
}

export function createAsker(
  settings: LiveSettings,
  guard: Guard,
  isRefused: (url: string, site: string) => boolean,
  signal: AbortSignal,
): Asker {
  const { userAgent, clock, connectMs, headersMs, bodyMs, maxRedirects, maxBodyBytes, documentOf } = settings;
  const cache: FetchCache | undefined = settings.cache;
  const connecting = { guard, ...(settings.lookup !== undefined && { lookup: settings.lookup }) };
  const getter = createGetter(userAgent, { connectMs, headersMs, bodyMs }, connecting, signal);
  const lineOf = createHostLines(1000 / settings.rate, clock, signal);
  const sender = createSender(getter, lineOf, settings.maxRequests, clock);
  const robots = createRobotsAccess({ userAgent, sender, cache, clock, maxRedirects, lineOf, isRefused });
  const answers = new Map<string, Promise<Answer>>();
  /** Times of answers from earlier runs. */
  const times = new Map<string, number>();
  let answeredBySite = 0;
  let textBytes = 0;

  async function find(target: Target, site: string, time: AskTime): Promise<Answer> {
    if (signal.aborted) return unavailable('network', 'stopped');
    const key = keyOf(target, time);
    const known = cache?.find(key);
    if (known === undefined || !isFresh(known.time)) return request(target, site, key, known);
    // A second fetch that is older than the first one is useless, so it is repeated.
    if (time === 'again' && known.time < (cache?.find(keyOf(target, 'once'))?.time ?? 0)) {
      return request(target, site, key, known);
    }
    times.set(key, known.time);
    return remembered(known.kept);
  }

  async function request(
    target: Target,
    site: string,
    key: string,
    known: ReturnType<FetchCache['find']>,
  ): Promise<Answer> {
    const refused = await robots(target, site);
    if (refused !== undefined) return refused;
    const old = known?.kept.kind === 'page' ? known.kept : undefined;
    const response = await sender.send(target, { headers: conditionsOf(old), maxBytes: maxBodyBytes });
    if (response.kind === 'unavailable') return response;
    const answer = answerIn(target, response, old, documentOf);
    if (answer.kind === 'unavailable') return answer;
    answeredBySite++;
    cache?.keep(key, answer, clock.now());
    return remembered(answer);
  }

  /** Keeps texts up to MAX_TEXT_BYTES. Pages without a text are compared by their fingerprints. */
  function remembered(answer: Answer): Answer {
    if (answer.kind !== 'page' || answer.document.kind !== 'text') return answer;
    textBytes += answer.document.packedText?.length ?? 0;
    return textBytes <= MAX_TEXT_BYTES ? answer : { ...answer, document: withoutText(answer.document) };
  }

  /** False for a time in the future: it came from a wrong clock, so the age is unknown. */
  function isFresh(time: number): boolean {
    const age = clock.now() - time;
    return age >= 0 && age < settings.maxAgeSeconds * 1000;
  }

  function ask(target: Target, site: string, time: AskTime): Promise<Answer> {
    const key = keyOf(target, time);
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, (answer = find(target, site, time)));
    return answer;
  }

  async function renew(target: Target, site: string): Promise<Answer> {
    const key = keyOf(target, 'once');
    const old = ask(target, site, 'once');
    await old;
    if (times.delete(key)) {
      const asked = request(target, site, key, cache?.find(key));
      answers.set(
        key,
        asked.then((answer) => (answer.kind === 'unavailable' ? old : answer)),
      );
    }
    return ask(target, site, 'once');
  }

  return {
    get requests() {
      return sender.requests;
    },
    get answered() {
      const oldest = times.size === 0 ? undefined : [...times.values()].reduce((a, b) => Math.min(a, b));
      return { site: answeredBySite, cache: times.size, oldest };
    },
    ask,
    keptAt: (target) => times.get(keyOf(target, 'once')),
    isKept: (target) => answers.has(keyOf(target, 'once')) || cache?.has(keyOf(target, 'once')) === true,
    renew,
    async close() {
      await getter.close();
      await Promise.allSettled(answers.values());
      cache?.close();
    },
  };
}
