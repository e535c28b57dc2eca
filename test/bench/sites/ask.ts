// How does a site on this machine answer? One GET, the target sent as it is, redirects not followed. Only *.localhost
// is asked.
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';

export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly type: string;
  /** Where it redirects to, as it says. */
  readonly location: string | undefined;
  /** Name, value, name, value, as they came. */
  readonly headers: readonly string[];
  /** Unpacked. */
  readonly body: Buffer;
}

const TIMEOUT_MS = 60_000;
const pools = new Map<string, Pool>();

/** Null if there was no answer. */
export async function askFor(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer | null> {
  const [, origin, target] = /^(http:\/\/(?:[\w-]+\.)*localhost:\d+)(?=[/?]|$)([^#]*)/.exec(url) ?? [];
  if (origin === undefined || target === undefined) throw new Error(`got ${url}, expected a URL of this machine`);
  let pool = pools.get(origin);
  if (pool === undefined) {
    pool = new Pool(origin, { connections: 8, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    pools.set(origin, pool);
  }
  try {
    const path = sent(target.startsWith('/') ? target : `/${target}`);
    const response = await pool.request({
      method: 'GET',
      path,
      headers: { accept: '*/*', ...headers },
      responseHeaders: 'raw',
    });
    const raw = (response.headers as unknown as readonly (string | Buffer)[]).map(String);
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const status = response.statusCode;
    return {
      url,
      status,
      type: valueOf(raw, 'content-type') ?? '',
      location: status >= 300 && status < 400 ? valueOf(raw, 'location') : undefined,
      headers: raw,
      body: valueOf(raw, 'content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes,
    };
  } catch {
    // It may be cut off or too slow: that is no answer, for all who ask.
    return null;
  }
}

export interface Landing {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** What the URL shows, where its redirects end. */
export async function landingOf(url: string): Promise<Landing | null> {
  let at = url;
  for (let hop = 0; hop < 6; hop++) {
    const answer = await askFor(at);
    if (answer?.location === undefined) return answer;
    if (!URL.canParse(answer.location, at)) return answer;
    const next = new URL(answer.location, at);
    if (!next.hostname.endsWith('localhost')) return answer;
    at = next.href;
  }
  return null;
}

export async function closeAll(): Promise<void> {
  await Promise.all(Array.from(pools.values(), (pool) => pool.close()));
}

/** Escapes bytes that are not allowed in a request line. */
function sent(target: string): string {
  return Array.from(Buffer.from(target), (byte) =>
    byte > 32 && byte < 127 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

function valueOf(headers: readonly string[], name: string): string | undefined {
  for (let k = 0; k + 1 < headers.length; k += 2) if (headers[k]!.toLowerCase() === name) return headers[k + 1]!;
  return undefined;
}
