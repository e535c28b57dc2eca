// Splits a URL into the parts that conditions are about (SPEC 7). Works on text, for the few thousand URLs of a site
// used for questions; `rule/condition` tests conditions on bytes.
import type { Condition } from '../../rule/rule.js';

export interface Field {
  readonly name: string;
  /** `name=value`, or the bare text. */
  readonly text: string;
  /** Undefined if there is no `=`. */
  readonly value: string | undefined;
}

export interface UrlParts {
  /** `http://`, or '' for a path. */
  readonly scheme: string;
  readonly host: string;
  /** Path without path parameters and query, split at slashes. */
  readonly segments: readonly string[];
  /** Named fields of the query; empty for a bare query. */
  readonly fields: readonly Field[];
  /** The text after the first `?`; undefined if there is none. */
  readonly query: string | undefined;
}

const URL_SHAPE = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?]*)([^?]*)(?:\?(.*))?$/is;

export function partsOf(url: string): UrlParts {
  const isPath = url.startsWith('/');
  const [, scheme = '', host = '', path = '', query] = URL_SHAPE.exec(isPath ? `x://h${url}` : url) ?? [];
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/;.*$/s, ''));
  return {
    scheme: isPath ? '' : scheme,
    host: isPath ? '' : host,
    segments: segments.length === 0 ? [''] : segments,
    fields: query === undefined ? [] : fieldsOf(query),
    query,
  };
}

function fieldsOf(query: string): Field[] {
  const texts = query.split(/[&;]/);
  if (texts.length === 1 && !texts[0]!.includes('=')) return [];
  return texts
    .map((text): Field => {
      const equals = text.indexOf('=');
      return equals < 0
        ? { name: text, text, value: undefined }
        : { name: text.slice(0, equals), text, value: text.slice(equals + 1) };
    })
    .filter(({ name }) => name !== '');
}

function fieldCount(query = ''): number {
  return query.split(/[&;]+/).filter((text) => text !== '').length;
}

export function extensionOf(segment: string): string {
  const dot = segment.lastIndexOf('.');
  return dot <= 0 ? '' : segment.slice(dot + 1);
}

/** An escape, or a character that is not a delimiter of a URL. */
const SIGN = /%[0-9A-F]{2}|[^0-9A-Za-z/?&;=#\u0080-\u{10ffff}]/giu;

/** Every condition that holds for a URL, the most general first. */
export function conditionsOf(url: string): Condition[] {
  const { scheme, host, segments, fields, query } = partsOf(url);
  const filled = segments.filter((segment) => segment !== '');
  const last = segments.at(-1)!;
  const conditions: Condition[] = [
    { part: 'host', is: host },
    { part: 'first', is: segments[0]! },
    { part: 'extension', is: extensionOf(last) },
    { part: 'last', is: last },
    { part: 'depth', is: filled.length },
    { part: 'fields', is: fieldCount(query) },
  ];
  for (const segment of new Set(filled)) conditions.push({ part: 'segment', is: segment });
  for (const name of new Set(fields.map((field) => field.name))) conditions.push({ part: 'parameter', is: name });
  for (const text of new Set(fields.map((field) => field.text))) conditions.push({ part: 'field', is: text });
  for (const sign of new Set(url.slice(scheme.length + host.length).match(SIGN)))
    conditions.push({ part: 'text', is: sign });
  return conditions;
}

export function conditionKey({ part, is }: Condition): string {
  return `${part}=${is}`;
}
