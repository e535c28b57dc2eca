// Who reads the site? Learned from the log while it is read, for runs that request pages from the site: it decides
// which URLs may be requested.
import { printable } from '../../../base/bytes.js';
import { UserError } from '../../../base/error.js';
import type { RecordBatch } from '../../../log/record.js';
import { createActionTest } from '../../../validate/permission/actions.js';
import { Evidence } from '../../../validate/permission/evidence.js';
import { Permission } from '../../../validate/permission/permission.js';
import { Stranger } from '../../../validate/permission/stranger.js';
import type { ValidationFlags } from '../../flags/validation.js';

export interface Readership {
  readonly evidence: Evidence;
  readonly stranger: Stranger;
  /** Sees each batch before `take` does. Batches must have visitors and clients. */
  watch<More extends readonly unknown[]>(take: TakeBatch<More>): TakeBatch<More>;
}

type TakeBatch<More extends readonly unknown[]> = (batch: RecordBatch, ...more: More) => void;

type SourceFlags = Pick<ValidationFlags, 'pages' | 'bySketch'>;

/** Undefined if pages come from an archive or a list, as nothing is requested then. */
export function readershipFor({ pages, bySketch }: SourceFlags): Readership | undefined {
  if (pages !== undefined || bySketch === true) return undefined;
  const evidence = new Evidence();
  return {
    evidence,
    stranger: new Stranger(evidence),
    watch:
      (take) =>
      (batch, ...more) => {
        evidence.add(batch);
        take(batch, ...more);
      },
  };
}

/** With a base, the hosts of `--one-site` may be requested too, but are no site of their own. */
export function hostsOfBase<F extends Pick<ValidationFlags, 'oneSite' | 'moreHosts'>>(
  flags: F,
  base: string | null,
): F {
  const { oneSite, ...rest } = flags;
  if (base === null || oneSite === undefined) return flags;
  refuseOddHost(oneSite);
  return { ...rest, moreHosts: oneSite } as unknown as F;
}

export function refuseOddHost(hosts: readonly string[]): void {
  const odd = hosts.find((host) => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host));
  if (odd === undefined) return;
  throw new UserError(`--one-site: got "${printable(odd)}", expected a host in lower case, as in docs.example.com`);
}

interface PermissionRequest {
  readonly readership?: Readership | undefined;
  readonly base: string | null;
  readonly flags: Pick<ValidationFlags, 'action' | 'oneSite' | 'moreHosts'>;
}

export function permissionFor({ readership, base, flags }: PermissionRequest): Permission {
  return new Permission({
    actionOf: createActionTest(flags.action ?? []),
    evidence: readership?.evidence,
    stranger: readership?.stranger ?? new Stranger(undefined),
    base,
    moreHosts: flags.moreHosts ?? flags.oneSite ?? [],
  });
}
