// Which requests does a log of these sites have? Combined lines, with the host before the address, after it, or
// missing.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

export interface LoggedRequest {
  readonly url: string;
  readonly method: string;
  readonly status: number;
}

const LINE = /^(\S+) (\S+) (\S+)(?: (\S+))? \[[^\]]+\] "(\S+) (\/[^\s"\\]*) HTTP\/[\d.]+" (\d{3}) /;

/** `base` comes before the targets of lines without a host. */
export async function logged(path: string, base: string): Promise<LoggedRequest[]> {
  const bytes = createReadStream(path);
  const requests: LoggedRequest[] = [];
  for await (const line of createInterface({ input: path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, first, second, , fourth, method, target, status] = match;
    // One field more than combined has: the host is the first. As many, and the second is a host: lighttpd's.
    const host = fourth !== undefined ? first! : second === '-' ? null : second!;
    requests.push({
      url: `${host === null ? base : `http://${host}`}${target!}`,
      method: method!,
      status: Number(status!),
    });
  }
  return requests;
}

/** The distinct URLs that answered GET with 200, in the order of the log. */
export async function shownIn(path: string, base: string): Promise<string[]> {
  const requests = await logged(path, base);
  return [...new Set(requests.flatMap(({ url, method, status }) => (method === 'GET' && status === 200 ? [url] : [])))];
}
