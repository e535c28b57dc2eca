// Lines of a container's output as Docker's json-file driver keeps them: an access log inside of JSON.
//
//   {"log":"192.0.2.1 - - [04/Mar/2025:09:00:01 +0000] \"GET /a HTTP/1.1\" 200 512 \"-\" \"agent\"\n",
//    "stream":"stdout","time":"2025-03-04T09:00:01.123456789Z"}
//
// What is inside is a common or combined log, as nginx and Apache write it in containers, or JSON lines, as Caddy,
// Traefik and many others do. A log in any other format has to be unwrapped first (`docker logs`).
import { NEWLINE, OPEN_BRACE, RETURN } from '../../base/ascii.js';
import { createColumnReader } from './column.js';
import { NOT_IN_FORMAT, type Fields, type LineFormat, type Span, type Wants } from './format.js';
import { createJsonLines, JsonText } from './jsonl.js';
import { JsonScanner, NONE } from './json-scan.js';
import { createNcsa } from './ncsa.js';

export function createDocker(wants: Wants): LineFormat {
  const scanner = new JsonScanner(createColumnReader(undefined, { url: 'log' }));
  const text = new JsonText();
  const inside: Span = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const line = createNcsa('combined', wants);
  const object = createJsonLines();
  return {
    name: 'docker',
    parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
      if (!scanner.scan(bytes, start, end) || scanner.found.url.rank === NONE) return NOT_IN_FORMAT;
      text.read(bytes, scanner.found.url, inside);
      const log = inside.bytes as Buffer;
      const from = inside.start;
      let to = inside.end;
      while (to > from && (log[to - 1] === NEWLINE || log[to - 1] === RETURN)) to--;
      return log[from] === OPEN_BRACE ? object.parse(log, from, to, fields) : line.parse(log, from, to, fields);
    },
  };
}

export function isDocker(line: Readonly<Record<string, unknown>>): boolean {
  return typeof line['log'] === 'string' && 'stream' in line && 'time' in line;
}
