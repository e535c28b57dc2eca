// Lines of a log that are texts inside of JSON, one object a line, as programs store and send what they collect:
//
//   Docker's json-file   {"log":"192.0.2.1 - - [04/Mar/2025:09:00:01 +0000] \"GET /a HTTP/1.1\" 200 512\n",
//                         "stream":"stdout","time":"2025-03-04T09:00:01.123456789Z"}
//   Filebeat             {"@timestamp":"…","message":"192.0.2.1 - - […","host":{"name":"web1"}}
//   journald             {"MESSAGE":"192.0.2.1 - - […","_HOSTNAME":"web1","SYSLOG_IDENTIFIER":"nginx"}
//
// The text may be in any line format, behind prefixes, or JSON again. Other fields of the object are those of the
// program that collects: its host is not that of the request. An object that has a URL is a record by itself.
import { NEWLINE, OPEN_BRACE, RETURN } from '../../base/ascii.js';
import type { ColumnNames } from './column.js';
import {
  type FormatName,
  isMissing,
  type LineFormat,
  type Fields,
  NOT_IN_FORMAT,
  type Span,
  UNIT,
  type Wants,
} from './format.js';
import { createJsonLines, type JsonNames, JsonReader } from './jsonl.js';
import { createNcsa } from './ncsa.js';

const DOCKER: JsonNames = { name: 'docker', names: { line: 'log', time: 'time' }, unitMs: UNIT.s };

/** JSON lines, of which some or all have a line that `inside` reads. */
export function createWrapped(inside: LineFormat, wants: Wants, named?: ColumnNames): LineFormat {
  return createUnwrapped('jsonl', new JsonReader(named), inside, wants);
}

export function createDocker(inside: LineFormat, wants: Wants): LineFormat {
  return createUnwrapped('docker', new JsonReader(undefined, DOCKER), inside, wants);
}

/** What containers print: most often a common or combined log, or JSON lines. */
export function createDockerText(wants: Wants): LineFormat {
  const line = createNcsa('combined', wants);
  const object = createJsonLines();
  return {
    name: 'docker',
    parse: (bytes, start, end, fields) =>
      (bytes[start] === OPEN_BRACE ? object : line).parse(bytes, start, end, fields),
  };
}

export function isDocker(line: Readonly<Record<string, unknown>>): boolean {
  return typeof line['log'] === 'string' && 'stream' in line && 'time' in line;
}

function createUnwrapped(name: FormatName, reader: JsonReader, inside: LineFormat, wants: Wants): LineFormat {
  const object = createJsonLines();
  const text: Span = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const parseText = (fields: Fields): string | null => {
    const bytes = text.bytes as Buffer;
    const cause = inside.parse(bytes, text.start, text.end, fields);
    const isObject = cause === NOT_IN_FORMAT && bytes[text.start] === OPEN_BRACE;
    return isObject ? object.parse(bytes, text.start, text.end, fields) : cause;
  };
  return {
    name,
    parse(bytes, start, end, fields) {
      if (!reader.scan(bytes, start, end)) return reader.refusal;
      if (reader.hasUrl) return reader.take(bytes, fields);
      if (!takeText(reader, bytes, text)) return NOT_IN_FORMAT;
      const cause = parseText(fields);
      if (wants.time && cause === null && isMissing(fields.time)) reader.takeTime(bytes, fields);
      return cause;
    },
  };
}

/** Reads the text of the line inside, without its line end; false if there is none. */
function takeText(reader: JsonReader, bytes: Buffer, text: Span): boolean {
  text.start = text.end = 0;
  reader.takeLine(bytes, text);
  while (text.end > text.start && isLineEnd(text.bytes[text.end - 1]!)) text.end--;
  return text.end > text.start;
}

function isLineEnd(byte: number): boolean {
  return byte === NEWLINE || byte === RETURN;
}

/** The lines inside of these objects; none if most of them have a URL of their own. */
export function textsInside(lines: readonly Buffer[], name: FormatName, named: ColumnNames | undefined): Buffer[] {
  const reader = name === 'docker' ? new JsonReader(undefined, DOCKER) : new JsonReader(named);
  const text: Span = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  let urls = 0;
  const texts = lines.flatMap((line) => {
    if (!reader.scan(line, 0, line.length)) return [];
    if (reader.hasUrl) urls++;
    if (reader.hasUrl || !takeText(reader, line, text)) return [];
    return [Buffer.from(text.bytes.subarray(text.start, text.end))];
  });
  return texts.length < urls ? [] : texts;
}
