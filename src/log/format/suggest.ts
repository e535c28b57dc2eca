// Which option would read lines that no format reads? A guess from what the fields of a line look like, tried on all lines:
//
//   06:01|10.0.0.7|GET|/a?b=1|200|512      --log-format '$x1|$remote_addr|$request_method|$request_uri|$status|$body_bytes_sent'
//   06:01,10.0.0.7,/a?b=1,200              --columns url=3,status=4,client=2
//   {"ts":1,"target_uri":"/a?b=1"}         --columns url=target_uri
import { UserError } from '../../base/error.js';
import type { ColumnNames } from './column.js';
import { createCustom } from './custom/custom.js';
import type { LineFormat } from './format.js';
import { createJsonLines, jsonObject } from './jsonl.js';
import { createTable } from './table.js';
import { tryFormat } from './trial.js';

export interface Suggestion {
  readonly option: '--log-format' | '--columns';
  readonly value: string;
  /** How many of the lines it reads. */
  readonly read: number;
}

/** The suggestion that reads most of the lines; null if none reads any. */
export function suggestionFor(lines: readonly Buffer[]): Suggestion | null {
  const samples = lines.slice(0, SAMPLES).map((line) => line.toString('latin1'));
  const found = [...columnsByName(samples), ...columnsByPlace(samples), ...formatStrings(samples)];
  const tried = found.map(({ option, value, format }) => ({ option, value, read: tryFormat(format, lines).read }));
  return tried.reduce<Suggestion | null>((best, one) => (one.read > (best?.read ?? 0) ? one : best), null);
}

/** So many lines are looked at for suggestions. */
const SAMPLES = 20;

interface Guess extends Pick<Suggestion, 'option' | 'value'> {
  readonly format: LineFormat;
}

type Role = 'request' | 'method' | 'url' | 'status' | 'size' | 'host' | 'client' | 'agent' | 'time';

/** In the order in which a text is tested. */
const LOOKS: readonly (readonly [Role, RegExp])[] = [
  ['request', /^[A-Z]{3,10} \S+ HTTP\/\d/],
  ['method', /^(GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH)$/],
  ['url', /^(\/|https?:\/\/)\S*$/i],
  ['status', /^[1-5]\d\d$/],
  ['size', /^\d+$/],
  ['client', /^\d+\.\d+\.\d+\.\d+$|^[\da-f]*:[\da-f:]*:[\da-f:.]*$/i],
  ['host', /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?$/i],
  ['agent', /^Mozilla\/|^[\w.-]+\/\d\S*( |$)/],
  ['time', /\d\d:\d\d:\d\d|^\d{10,13}(\.\d+)?$/],
];

function looksLike(text: string): Role | null {
  return LOOKS.find(([, look]) => look.test(text))?.[0] ?? null;
}

/** The first text of each role. A request stands for method and URL, a path comes before a full URL (a referrer). */
function rolesOf(texts: readonly string[]): ReadonlyMap<Role, number> {
  const roles = new Map<Role, number>();
  for (const [at, text] of texts.entries()) {
    const role = looksLike(text);
    if (role === null) continue;
    const before = roles.get(role);
    const isBetter = role === 'url' && before !== undefined && text.startsWith('/') && !texts[before]!.startsWith('/');
    if (before === undefined || isBetter) roles.set(role, at);
  }
  if (roles.has('request')) {
    roles.delete('method');
    roles.delete('url');
  }
  // A number that follows the status is the size.
  const status = roles.get('status') ?? -1;
  const size = texts.findIndex((text, at) => at > status && /^\d+$/.test(text));
  if (roles.has('size') && size >= 0) roles.set('size', size);
  return roles;
}

function isUseful(roles: ReadonlyMap<Role, unknown>): boolean {
  return roles.has('url') || roles.has('request');
}

/** Columns of JSON lines, for names that are not the usual ones. */
function columnsByName(samples: readonly string[]): readonly Guess[] {
  return samples.flatMap((line) => {
    const object = jsonObject(line);
    if (object === null) return [];
    const texts = [...textsIn(object, '')].filter(([name]) => !/refer/i.test(name) && !/[,=]/.test(name));
    const roles = rolesOf(texts.map(([, text]) => text));
    const places = ['request', 'url', 'method', 'status', 'host'] as const;
    return isUseful(roles)
      ? [
          guessColumns(
            places,
            roles,
            (at) => texts[at]![0],
            (columns) => createJsonLines(columns),
          ),
        ]
      : [];
  });
}

const MOST_DEPTH = 4;

function* textsIn(object: Readonly<Record<string, unknown>>, path: string, depth = 0): Generator<[string, string]> {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === 'string' || typeof value === 'number') yield [path + key, String(value)];
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < MOST_DEPTH)
      yield* textsIn(value as Record<string, unknown>, `${path}${key}.`, depth + 1);
  }
}

/** Columns of a table without a header, by number. */
function columnsByPlace(samples: readonly string[]): readonly Guess[] {
  return samples.flatMap((line) => {
    const name = line.includes('\t') ? 'tsv' : 'csv';
    const cells = line.split(name === 'tsv' ? '\t' : ',').map((cell) => cell.replace(/^"(.*)"$/, '$1').trim());
    const roles = rolesOf(cells);
    if (cells.length < 3 || !isUseful(roles) || line.trimStart().startsWith('{')) return [];
    const places = ['request', 'url', 'method', 'status', 'size', 'host', 'client', 'agent'] as const;
    return [
      guessColumns(
        places,
        roles,
        (at) => String(at + 1),
        (columns) => createTable(name, columns),
      ),
    ];
  });
}

function guessColumns(
  places: readonly Role[],
  roles: ReadonlyMap<Role, number>,
  nameOf: (at: number) => string,
  formatOf: (columns: ColumnNames) => LineFormat,
): Guess {
  const named = places.flatMap((role) => (roles.has(role) ? [[role, nameOf(roles.get(role)!)] as const] : []));
  return {
    option: '--columns',
    value: named.map(([role, name]) => `${role}=${name}`).join(','),
    format: formatOf(Object.fromEntries(named)),
  };
}

const VARIABLES: Readonly<Record<Role, string>> = {
  request: '$request',
  method: '$request_method',
  url: '$request_uri',
  status: '$status',
  size: '$body_bytes_sent',
  host: '$http_host',
  client: '$remote_addr',
  agent: '$http_user_agent',
  time: '$time_local',
};

/** A text in quotes or brackets, or up to the next separator. */
const TOKEN = /"((?:[^"\\]|\\.)*)"|\[([^\]]*)\]|[^\s|;,"[\]]+/g;
/** The name of a value, in front of it. */
const KEY = /^[\w.-]{1,40}=(?=.)/;

/** nginx's log_format, from the tokens of a line and what is between them. */
function formatStrings(samples: readonly string[]): readonly Guess[] {
  return samples.flatMap((line) => {
    if (line.length > MOST_CHARS) return [];
    const value = formatString(line);
    const format = value === null ? null : customOf(value);
    return value === null || format === null ? [] : [{ option: '--log-format' as const, value, format }];
  });
}

const MOST_CHARS = 4096;

function customOf(value: string): LineFormat | null {
  try {
    return createCustom(value);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** The range of a text, without its quotes, brackets or name. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function tokensOf(line: string): readonly Token[] {
  return Array.from(line.matchAll(TOKEN), ({ 0: whole, 1: quoted, 2: bracketed, index }) => {
    const inside = quoted ?? bracketed;
    const text = inside ?? whole.replace(KEY, '');
    const start = inside === undefined ? index + whole.length - text.length : index + 1;
    return { start, end: start + text.length, text };
  });
}

/** Ends after the last text that is needed; null if the line has no URL. Between tokens are only separators and names. */
function formatString(line: string): string | null {
  const tokens = tokensOf(line);
  const roles = rolesOf(tokens.map(({ text }) => text));
  if (!isUseful(roles)) return null;
  const roleAt = new Map(Array.from(roles, ([role, place]) => [place, role]));
  let string = '';
  let at = 0;
  for (const [place, { start, end }] of tokens.slice(0, Math.max(...roleAt.keys()) + 1).entries()) {
    const role = roleAt.get(place);
    string += line.slice(at, start) + (role === undefined ? `$x${place + 1}` : VARIABLES[role]);
    at = end;
  }
  const [between = ''] = /^["\]]*[\s|;,]*/.exec(line.slice(at)) ?? [];
  return string + between + (line.length > at + between.length ? '$rest' : '');
}
