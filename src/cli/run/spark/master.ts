// Does the master of a cluster answer? Spark itself tries for a minute, YARN's client for a quarter of an hour, and both
// then end with a page of stack traces. So the addresses of the URL are tried before anything starts; and a master that
// only Spark's own settings name is found out by what Spark says first.
import { connect } from 'node:net';
import { printable } from '../../../base/bytes.js';
import { systemCode, UserError } from '../../../base/error.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

const MOST_WAIT_MS = 5000;

/** The addresses of a master; none if its URL has none, such as yarn and local[4]. */
export function addressesOf(master: string): readonly Address[] {
  const [, kind, hosts] = /^(spark|k8s):\/\/(?:https?:\/\/)?([^/]+)/.exec(master) ?? [];
  if (kind === undefined) return [];
  return hosts!.split(',').flatMap((each) => {
    const [, host, port = kind === 'k8s' ? '443' : '7077'] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(each) ?? [];
    return host === undefined || Number(port) > 65_535 ? [] : [{ host, port: Number(port) }];
  });
}

/** Throws a UserError if none of the addresses takes a connection within some seconds. */
export async function refuseUnreachable(master: string | undefined, lost: string): Promise<void> {
  const addresses = addressesOf(master ?? '');
  if (addresses.length === 0) return;
  const failures: string[] = [];
  const tries = addresses.map((address) => tried(address).catch((error: unknown) => failures.push(reasonOf(error))));
  await Promise.all(tries);
  if (failures.length === addresses.length) throw unreachable(master!, failures[0]!, lost);
}

export function unreachable(server: string, reason: string, lost: string): UserError {
  return new UserError(
    `the Spark master ${printable(server)} cannot be reached (${printable(reason)}); expected the address of a running ` +
      `cluster, by --spark-master. ${lost}.`,
  );
}

function tried({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: MOST_WAIT_MS });
    socket.on('connect', () => resolve(void socket.destroy()));
    socket.on('error', reject);
    socket.on('timeout', () => reject(socket.destroy() && new Error(`no answer in ${MOST_WAIT_MS / 1000} s`)));
  });
}

function reasonOf(error: unknown): string {
  // Several addresses of a name fail together.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return systemCode(first) ?? (first instanceof Error ? first.message : String(first));
}

/** What Spark says before it tries again. YARN's client may say it a few times, once a second. */
const SIGNS = [
  /Failed to connect to master ([\w.:-]+)/,
  /Retrying connect to server: (\S+)\. Already tried [4-9] time/,
];

/** Finds out from Spark's log that no master answers. */
export class MasterWatch {
  readonly #masters: number;
  readonly #silent = new Set<string>();

  /** `master` is the URL, if it is known. */
  constructor(master: string | undefined) {
    this.#masters = Math.max(1, addressesOf(master ?? '').length);
  }

  /** The master that does not answer, if this line is the last sign that none does. */
  silent(line: string): string | undefined {
    const server = SIGNS.map((sign) => sign.exec(line)?.[1]).find((found) => found !== undefined);
    if (server === undefined) return undefined;
    this.#silent.add(server);
    return this.#silent.size >= this.#masters ? server : undefined;
  }
}
