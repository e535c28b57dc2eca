// Finds the columns (URL, size, …) among the freely named fields of tables and JSON. Either the user names them
// (`--columns url=u,size=bytes`), or a field has one of the usual names; earlier names in a list win over later ones.
// Case, `_`, `-` and blanks in names are ignored. `proxy.…` are names of Vercel's log drains, `httpRequest.…` of Google
// Cloud, `properties.…` of Azure's gateways and app services. A CSV of Screaming Frog has an `Address`, and a `Status`
// in words beside its `Status Code`. A format with its own names has its own list.
import { UserError } from '../../base/error.js';

const USUAL_NAMES = {
  url: 'proxy.path httpRequest.requestUrl properties.requestUri properties.csUriStem url request_url full_url request_uri uri request.uri request.url target request_target request_path path request.path href link loc page address cs_uri_stem',
  query:
    'properties.requestQuery properties.csUriQuery args query_string request_args request.args request.query_string cs_uri_query',
  request: 'request request_line',
  host: 'proxy.host properties.originalHost properties.host properties.csHost host server_name http_host vhost virtual_host request_host request.host domain server authority x_host_header cs(host) cs_host',
  scheme: 'proxy.scheme scheme request_scheme request.scheme url_scheme cs_protocol',
  method:
    'proxy.method httpRequest.requestMethod properties.httpMethod properties.csMethod method request_method http_method request.method verb cs_method request_verb',
  status:
    'proxy.statusCode httpRequest.status properties.httpStatusCode properties.httpStatus properties.scStatus status_code status http_status response_status downstream_status response.status sc_status response_code fetch_status elb_status_code code',
  size: 'proxy.responseByteSize httpRequest.responseSize properties.responseBytes properties.sentBytes properties.scBytes size size(bytes) bytes body_bytes_sent bytes_sent downstream_content_size response_size response.size content_length length sc_bytes sent_bytes',
  sketch: 'sketch digest payload_digest content_digest sha1 sha256 md5 checksum hash',
  time: 'time timestamp time_local time_iso8601 date datetime ts @timestamp start_time fetch_time',
  agent:
    'proxy.userAgent httpRequest.userAgent properties.userAgent user_agent http_user_agent agent useragent request.user_agent request.headers.user_agent cs(user_agent) cs_user_agent',
  duration: 'httpRequest.latency request_time',
  client:
    'proxy.clientIp httpRequest.remoteIp properties.clientIP properties.clientIp properties.CIp remote_addr remote_ip client_ip client_addr client_address client request.remote_ip request.remote_addr request.client_ip source.ip client.address http.client_ip remote_host ip c_ip',
} as const;

export type Column = keyof typeof USUAL_NAMES;

/** Names of columns, separated by blanks, strongest first. */
export type NameLists = Readonly<Partial<Record<Column, string>>>;

export type ColumnNames = Readonly<Record<string, string>>;

export const COLUMNS = Object.keys(USUAL_NAMES) as Column[];

/** The column that a name means, and the rank of that evidence: less is stronger. */
export interface Meaning {
  readonly column: Column;
  readonly rank: number;
}

export type ColumnReader = (fieldName: string) => Meaning | null;

/** If the user named a column, it is found only under that name. */
export function createColumnReader(named: ColumnNames = {}, usualNames: NameLists = USUAL_NAMES): ColumnReader {
  checkNames(named);
  const exact = new Map<string, Meaning>();
  const usual = new Map<string, Meaning>();
  for (const column of COLUMNS) {
    const name = named[column];
    if (name !== undefined) exact.set(name, { column, rank: 0 });
    else usualNames[column]?.split(' ').forEach((usualName, rank) => usual.set(fold(usualName), { column, rank }));
  }
  return (fieldName) => exact.get(fieldName) ?? usual.get(fold(fieldName)) ?? null;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

/** True if columns are named by number: the position of a field in a table without header, from 1. */
export function isHeaderless(named: ColumnNames = {}): boolean {
  return isPlace(named['url']) || isPlace(named['request']);
}

function isPlace(name: string | undefined): boolean {
  return name !== undefined && /^[1-9]\d{0,3}$/.test(name);
}

function checkNames(named: ColumnNames): void {
  const name = isHeaderless(named) ? Object.entries(named).find((entry) => !isPlace(entry[1])) : undefined;
  if (name !== undefined) {
    throw new UserError(
      `--columns: got ${name[0]}=${name[1]} beside numbers; expected a number, from 1 on: a table without header has no names`,
    );
  }

  for (const column of Object.keys(named)) {
    if (COLUMNS.some((known) => known === column)) continue;
    throw new UserError(`--columns: got "${column}", which is no column; expected one of ${COLUMNS.join(', ')}`);
  }
}

/** A number as tables write it (`200`, `200.0`, `-5003`); -1 for "none", NaN for anything else. */
export function tableNumber(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '-') return -1;
  return /^-?\d+(\.0*)?$/.test(trimmed) ? Number(trimmed) : NaN;
}

/** A status in a field of its own. 0 means a fetch without an answer. */
export function tableStatus(text: string): number {
  const status = tableNumber(text);
  return status === -1 && text.trim().length > 1 ? 0 : status < -1 ? 0 : status;
}
