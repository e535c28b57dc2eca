// One GET and its response. Nothing is sent that identifies anyone but dustbuster (no cookies, credentials or
// referrer), proxies of the environment are ignored (they would connect for us, bypassing the guard), and redirects are
// not followed. Time and size of the response are limited, and network failures are values.
//
//   ├── connect, headers: headersMs after connectMs ──┤── body: bodyMs ──┤
import { Agent, type Dispatcher } from 'undici';
import { systemCode } from '../../base/error.js';
import type { UnavailableReason } from '../source.js';
import { ACCEPT_ENCODING, encodingsOf, readBody } from './decode.js';
import { createConnector, PrivateAddress, type ConnectOptions } from './guard.js';
import type { Target } from './target.js';

export interface Limits {
  readonly connectMs: number;
  /** From the connection to the last byte of the headers. */
  readonly headersMs: number;
  /** From the headers to the last byte of the body, however steadily it drips. */
  readonly bodyMs: number;
}

export interface Response {
  readonly kind: 'response';
  readonly status: number;
  /**
   * The first value of a header, its bytes as Latin-1. Names are in lower case. For `link`, all values joined by
   * commas.
   */
  header(name: string): string | undefined;
  /** The decoded body; empty unless the status is 200 or 203. */
  readonly body: Uint8Array;
  /** True if the body is longer than the limit, and cut off there. */
  readonly isCut: boolean;
}

export type Exchange = Response | Failure;

export interface Failure {
  readonly kind: 'failed';
  readonly reason: Extract<UnavailableReason, 'network' | 'time-out' | 'private-address' | 'decoding'>;
  readonly detail: string;
  /** True if the connection had been used before. The server may have been about to close it. */
  readonly wasReused: boolean;
}

export interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

export interface Getter {
  get(target: Target, options: GetOptions): Promise<Exchange>;
  close(): Promise<void>;
}

/** Statuses whose body is used. */
export function hasPage(status: number): boolean {
  return status === 200 || status === 203;
}

export function createGetter(
  userAgent: string,
  limits: Limits,
  connecting: Omit<ConnectOptions, 'connectMs'>,
  signal: AbortSignal,
): Getter {
  const connect = createConnector({ ...connecting, connectMs: limits.connectMs });
  // The limits are enforced here, because undici's limits for headers and body start again with every byte.
  const agent = new Agent({ connect, connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const connections = new Map<string, number>();
  agent.on('connect', ({ origin }) => connections.set(origin, (connections.get(origin) ?? 0) + 1));
  const ownHeaders = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': ACCEPT_ENCODING,
  };

  async function get(target: Target, { headers, maxBytes }: GetOptions): Promise<Exchange> {
    const deadline = createDeadline(signal);
    const before = connections.get(target.origin);
    try {
      deadline.set(limits.connectMs + limits.headersMs, 'no headers');
      const data = await agent.request({
        origin: target.origin,
        path: target.path,
        method: 'GET',
        headers: { ...ownHeaders, ...headers },
        signal: deadline.signal,
      });
      deadline.set(limits.bodyMs, 'no whole body');
      return await readResponse(data, maxBytes);
    } catch (error) {
      return { ...failureOf(error), wasReused: before !== undefined && before === connections.get(target.origin) };
    } finally {
      deadline.clear();
    }
  }

  return { get, close: () => agent.destroy() };
}

class TimeOut extends Error {
  override readonly name = 'TimeOut';
}

interface Deadline {
  readonly signal: AbortSignal;
  set(ms: number, what: string): void;
  clear(): void;
}

/** A deadline that fires when `outer` does, or when the last set time is over. */
function createDeadline(outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => controller.abort(new Error('stopped'));
  if (outer.aborted) stop();
  else outer.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    set(ms, what) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new TimeOut(`${what} in ${ms} ms`)), ms);
    },
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
    },
  };
}

/** Up to this size an unwanted body is read to its end, so that the connection can be reused. */
const UNWANTED_BYTES = 65_536;

async function readResponse(data: Dispatcher.ResponseData, maxBytes: number): Promise<Exchange> {
  const status = data.statusCode;
  const header = (name: string) => {
    const value = data.headers[name];
    if (!Array.isArray(value)) return value;
    return name === 'link' ? value.join(',') : value[0];
  };
  if (!hasPage(status)) {
    await data.body.dump({ limit: UNWANTED_BYTES });
    return { kind: 'response', status, header, body: new Uint8Array(0), isCut: false };
  }
  const encodings = encodingsOf(listed(data.headers['content-encoding']));
  if (encodings === undefined) {
    await data.body.dump({ limit: UNWANTED_BYTES });
    return {
      kind: 'failed',
      reason: 'decoding',
      detail: `content-encoding ${header('content-encoding')}`,
      wasReused: false,
    };
  }
  const body = await readBody(data.body, encodings, maxBytes);
  if (body.kind === 'damaged') return { kind: 'failed', reason: 'decoding', detail: body.detail, wasReused: false };
  return { kind: 'response', status, header, body: body.bytes, isCut: body.kind === 'too-large' };
}

function listed(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/** A network error as a value. Any other error is a bug and is thrown. */
function failureOf(error: unknown): Omit<Failure, 'wasReused'> {
  if (!(error instanceof Error)) throw error;
  const code = systemCode(error);
  if (code === 'UND_ERR_INVALID_ARG' || error instanceof TypeError) throw error;
  const detail = code ?? error.message;
  if (error instanceof PrivateAddress) return { kind: 'failed', reason: 'private-address', detail: error.message };
  const isTimeOut = error instanceof TimeOut || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
  return { kind: 'failed', reason: isTimeOut ? 'time-out' : 'network', detail };
}
