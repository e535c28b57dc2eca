// Is a site slower than the time that was announced? Requests to a host wait for one another, so it is the answers that
// count once they take longer than the pause between two requests. That is said once, as soon as it can be measured.
import type { Effects } from '../../../base/effects.js';
import { many } from '../../../base/plural.js';
import type { PageSource } from '../../../validate/source.js';
import { lengthWords, type Requests } from './time.js';

/** Requests that are enough to go by. */
const ENOUGH = 10;
/** A site that is slower by less is as announced. */
const SLOWER = 1.5;
const LOOK_MS = 1000;

/** Undefined as long as too little is known, or the site is not slower. */
export function slowLine(
  { expected, most }: Requests,
  rate: number,
  done: number,
  seconds: number,
): string | undefined {
  if (done < ENOUGH || seconds < (SLOWER * done) / rate) return undefined;
  const pace = seconds / done;
  const [about, limit] = [expected, most].map((all) => lengthWords(Math.max(0, all - done) * pace)) as [string, string];
  const left = about === limit ? `at most ${limit} are left` : `about ${about} are left, at most ${limit}`;
  return `The site is slower than that: ${many(done, 'request')} took ${lengthWords(seconds)}; ${left}\n`;
}

/** Looks again and again until there is something to say, or `stop` is called. */
export function watchPace(
  requests: Requests,
  rate: number,
  source: Pick<PageSource, 'requests'>,
  effects: Effects,
): { readonly stop: () => void } {
  const begin = effects.now().getTime();
  const look = () => {
    const line = slowLine(requests, rate, source.requests, (effects.now().getTime() - begin) / 1000);
    if (line === undefined) return;
    stop();
    effects.stderr.write(line);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  const stop = () => clearInterval(timer);
  return { stop };
}
