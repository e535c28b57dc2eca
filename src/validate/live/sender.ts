// Sends requests within all limits: the queue of the host, the budget of the run, and the retries. A request is sent
// again if the host says when, or if it closed a connection that was about to be reused (RFC 9112, 9.3.1).
import { unavailable, type Unavailable } from './answer.js';
import type { Exchange, Getter, GetOptions, Response } from './exchange.js';
import { retryAfterMs, type Clock, type HostLine } from './politeness.js';
import type { Target } from './target.js';

export interface Sender {
  /** Sends the request when it is the host's turn; without a response the result is unavailable. */
  send(target: Target, options: GetOptions): Promise<Response | Unavailable>;
  readonly requests: number;
}

export function createSender(
  getter: Getter,
  lineOf: (host: string) => HostLine,
  maxRequests: number,
  clock: Clock,
): Sender {
  let requests = 0;

  async function request(target: Target, options: GetOptions): Promise<Exchange | Unavailable> {
    if (requests >= maxRequests) return unavailable('budget');
    requests++;
    const exchange = await getter.get(target, options);
    if (exchange.kind === 'failed' && exchange.reason === 'private-address') requests--; // no connection was made
    return exchange;
  }

  return {
    get requests() {
      return requests;
    },
    async send(target, options) {
      const line = lineOf(target.host);
      for (let attempt = 0; ; attempt++) {
        // Checked here as well, so that requests do not queue only to be refused.
        if (requests >= maxRequests) return unavailable('budget');
        const exchange = await line.take(() => request(target, options));
        if (exchange === undefined) return closedAnswer(line);
        if (exchange.kind === 'unavailable') return exchange;
        if (attempt === 0 && exchange.kind === 'failed' && exchange.reason === 'network' && exchange.wasReused)
          continue;
        const pauseMs = note(line, exchange, clock.now());
        if (pauseMs !== undefined && !line.pause(pauseMs)) return closedAnswer(line);
        if (pauseMs !== undefined && attempt === 0) continue;
        return exchange.kind === 'failed' ? unavailable(exchange.reason, exchange.detail) : exchange;
      }
    },
  };
}

function closedAnswer(line: HostLine): Unavailable {
  return line.closed === undefined ? unavailable('network', 'stopped') : unavailable(line.closed);
}

/** Records the outcome in the host's queue. Returns the pause that the host asks for. */
function note(line: HostLine, exchange: Exchange, now: number): number | undefined {
  if (exchange.kind === 'failed') {
    if (exchange.reason === 'private-address') line.close('private-address');
    else if (exchange.reason !== 'decoding') line.failed();
    return undefined;
  }
  const { status } = exchange;
  if (status === 429 || status >= 500) line.failed();
  else line.succeeded();
  return status === 429 || status === 503 ? retryAfterMs(exchange.header('retry-after'), now) : undefined;
}
