// Parses the header blocks of a record. A record begins with its WARC block; in a response, the HTTP block follows:
//
//   WARC/1.0 ⏎ WARC-Type: response ⏎ WARC-Target-URI: … ⏎ Content-Length: 1234 ⏎ ⏎ HTTP/1.1 200 OK ⏎ … ⏎ ⏎ payload ⏎ ⏎
//   |                                                                              |<------- 1234 bytes ------->|
//
// Text is Latin-1, one character per byte, so that `headerBytes` can restore the bytes. warcio reads blocks in the same
// way (tests compare with its parser), but decodes them as UTF-8 and loses bytes that are not UTF-8.

/** The longest header block that is read. */
export const MAX_BLOCK_BYTES = 1 << 16;

export interface HeaderBlock {
  readonly firstLine: string;
  /** Bytes of the block, including the empty line that ends it. */
  readonly length: number;
  /** The value of a header, one character per byte; case-insensitive. */
  get(name: string): string | undefined;
}

/** The block that `bytes` begins with, or undefined if it does not end in `bytes`. */
export function parseBlock(bytes: Buffer): HeaderBlock | undefined {
  const length = blockLength(bytes);
  if (length < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, length).split('\n');
  const firstLine = first.trimEnd();
  if (firstLine === '') return undefined;
  const headers = readHeaders(lines);
  return { firstLine, length, get: (name) => headers.get(name.toLowerCase()) };
}

/** By name in lower case; the values of headers with the same name are joined by commas. */
function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of unfold(lines)) {
    // Invalid headers are skipped: real archives contain many.
    if (!TOKEN.test(name) || value === '' || /[\0\r]/.test(value)) continue;
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** Names and values. A line that begins with white space continues the value before it, if there is one. */
function unfold(lines: readonly string[]): [name: string, value: string][] {
  const headers: [string, string][] = [];
  let isOpen = false;
  for (const line of lines) {
    const last = headers.at(-1);
    if (isOpen && last !== undefined && /^[ \t]/.test(line)) {
      last[1] = trimmed(last[1] + line);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon >= 0) headers.push([line.slice(0, colon).trimStart(), trimmed(line.slice(colon + 1))]);
    isOpen = colon >= 0 && headers.at(-1)![1] !== '';
  }
  return headers;
}

/** Removes white space around a value. `trim` would also remove the byte A0, which ends an à in UTF-8. */
function trimmed(value: string): string {
  return value.replace(/^[ \t\r]+|[ \t\r]+$/g, '');
}

export function headerBytes(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}

/** Some servers end their lines with a bare line feed. */
function blockLength(bytes: Buffer): number {
  const strict = bytes.indexOf('\n\r\n');
  const bare = bytes.subarray(0, strict < 0 ? bytes.length : strict + 1).indexOf('\n\n');
  if (bare >= 0) return bare + 2;
  return strict < 0 ? -1 : strict + 3;
}

export function isWarc(block: HeaderBlock): boolean {
  return /^WARC\/\d/.test(block.firstLine);
}

/** Bytes between the record's header block and the empty lines after it; undefined if the block has no length. */
export function contentLength(block: HeaderBlock): number | undefined {
  const value = block.get('Content-Length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Without the fragment, which is not sent to servers. wget writes `<http://…>`. */
export function targetUrl(block: HeaderBlock, name = 'WARC-Target-URI'): Buffer | undefined {
  const value = block.get(name)?.replace(/^<(.*)>$/, '$1');
  return value === undefined ? undefined : headerBytes(value.replace(/#.*$/s, ''));
}

/** The digest of the payload of a record, with the name of the hash: `sha1:…`. */
export function payloadDigest(block: HeaderBlock): Buffer | undefined {
  const digest = block.get('WARC-Payload-Digest');
  return digest === undefined ? undefined : headerBytes(digest);
}

/** Seconds since 1970; 0 if the date is invalid. */
export function dateSeconds(date: string | undefined): number {
  const ms = date === undefined ? NaN : Date.parse(date);
  return ms > 0 ? Math.floor(ms / 1000) : 0;
}

/** The status of an HTTP block, 0 if there is none. */
export function httpStatus(block: HeaderBlock | undefined): number {
  return Number(/^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(block?.firstLine ?? '')?.[1] ?? 0);
}
