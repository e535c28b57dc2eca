// Opens the source of pages that the flags name: the live site, WARC files, page records of `sketch`, or the sketches
// of the URL list.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { many } from '../../../base/amounts.js';
import { encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { addTo } from '../../../base/group-by.js';
import { closeFolder } from '../../../base/kept-folder.js';
import { LineStore } from '../../../base/line-store.js';
import type { Input } from '../../../log/bytes.js';
import { findInputs } from '../../../log/inputs.js';
import { arePageRecords, openPageList } from '../../../log/page-list.js';
import type { RulesFile, Validation } from '../../../rule/rule.js';
import { documentOf, documentOfSketch } from '../../../sketch/page.js';
import { SHINGLE_WORDS } from '../../../sketch/shingle.js';
import { createOneSiteOf, createSiteOf } from '../../../url/public-suffix.js';
import { createArchiveSource } from '../../../validate/archive.js';
import { createFetchCache, MAX_CACHE_LINE } from '../../../validate/live/cache.js';
import { isAddress, lookupAll } from '../../../validate/live/guard.js';
import { createLiveSource } from '../../../validate/live/live.js';
import { createLogSource } from '../../../validate/logged.js';
import type { Permission } from '../../../validate/permission/permission.js';
import type { HostPlanner } from '../../../validate/hosts/plan.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Sketches } from '../../../validate/site-lists.js';
import { createRecordSource } from '../../../validate/records.js';
import type { PageSource } from '../../../validate/source.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { packageVersion } from '../../version.js';
import { openArchives } from '../input/archives.js';
import { permissionFor, type Readership } from '../input/readership.js';

interface SourceRequest {
  readonly file: Pick<RulesFile, 'options' | 'urlForm'>;
  readonly plans: readonly SitePlan[];
  readonly flags: ValidationFlags & { readonly quiet?: boolean };
  readonly tmpdir: string;
  readonly base: string | null;
  readonly readership?: Readership | undefined;
  readonly hosts?: Pick<HostPlanner, 'sketches'> | undefined;
}

export function sourceName(flags: ValidationFlags): Validation['source'] {
  if (flags.bySketch === true) return 'log';
  return flags.pages === undefined ? 'live' : 'warc';
}

/**
 * Finds the site of an absolute URL whose page is requested. With `--site all` this is still the registrable domain.
 * With `oneSite`, these hosts are one site.
 */
export function siteOfPages(
  { options }: { readonly options: Pick<RulesFile['options'], 'site'> },
  oneSite?: readonly string[],
): (url: string) => string {
  const siteOf =
    oneSite === undefined ? createSiteOf(options.site === 'all' ? 'domain' : options.site) : createOneSiteOf(oneSite);
  return (url) => {
    const bytes = encodeText(url);
    return siteOf(bytes, 0, bytes.length);
  };
}

interface OpenSource {
  readonly source: PageSource;
  /** True if an archive could not be read to its end. */
  readonly isDamaged: boolean;
  /** For sketches: the site that is asked next has these. */
  readonly hold?: (sketches: Sketches) => void;
}

/** Throws a `UserError` if these flags can open no source of pages, so that a long run does not find out late. */
export function checkSourceFlags({ pages, bySketch, budget, stop, resolve: entries }: ValidationFlags): void {
  if (budget !== undefined && (pages !== undefined || bySketch === true)) {
    throw new UserError('--budget: got pages that cost no fetch; expected pages of a live site. Leave it out');
  }
  if (budget !== undefined && stop === 'fixed') {
    throw new UserError('--budget: got --stop fixed, which asks in the order of the paper; expected one of the two');
  }
  if (pages !== undefined && bySketch === true) {
    throw new UserError('--pages and --by-sketch: got both, expected one source of pages');
  }
  if (entries !== undefined) addressTable(entries);
}

export async function openSource(request: SourceRequest, signal: AbortSignal, effects: Effects): Promise<OpenSource> {
  const { flags } = request;
  const siteOf = siteOfPages(request.file, flags.oneSite);
  const isInside = (url: string, site: string) => siteOf(url) === site;
  const whole = (source: PageSource) => ({ source, isDamaged: false });
  if (flags.bySketch === true) return openSketches(request);
  if (flags.pages === undefined) {
    return whole(openLive({ ...flags, permission: permissionFor(request) }, isInside, signal, effects));
  }
  const inputs = await findInputs(flags.pages, effects);
  if (await arePageRecords(inputs)) return openRecords(inputs, request.tmpdir, isInside, effects);
  const archive = await openArchives(inputs, { tmpdir: request.tmpdir }, flags.quiet, effects);
  return { source: createArchiveSource({ archive, documentOf, isInside }), isDamaged: archive.damages.length > 0 };
}

async function openRecords(
  inputs: readonly Input[],
  tmpdir: string,
  isInside: (url: string, site: string) => boolean,
  effects: Effects,
): Promise<OpenSource> {
  const list = await openPageList(inputs, tmpdir);
  for (const damage of list.damages) effects.stderr.write(`dustbuster: ${printable(damage)}\n`);
  if (list.bad > 0) {
    effects.stderr.write(
      `dustbuster: --pages: ${list.bad} of ${many(list.lines, 'line')} ${list.bad === 1 ? 'is no page record, and was' : 'are no page records, and were'} left out\n`,
    );
  }
  return { source: createRecordSource({ list, isInside }), isDamaged: list.damages.length > 0 };
}

function openSketches({ plans, hosts }: Pick<SourceRequest, 'plans' | 'hosts'>): OpenSource {
  const isOfHosts = hosts !== undefined && hosts.sketches.size > 0;
  const isKnown = plans.some(({ list, sketches }) => (list?.sketched ?? 0) + (sketches?.size ?? 0) > 0);
  if (!isKnown && !isOfHosts) {
    throw new UserError(
      'the list has no sketches to validate by; name one that has, such as a Heritrix log or a CSV with a sketch column, with --test',
    );
  }
  return sketchSource(plans);
}

/** The pages of samples, and of the site that is asked. */
export function sketchSource(plans: readonly SitePlan[]): OpenSource {
  let held: Sketches = new Map(plans.flatMap(({ sketches }) => [...(sketches ?? [])]));
  const source = createLogSource((url) => held.get(url), documentOfSketch);
  return { source, isDamaged: false, hold: (sketches) => void (held = sketches) };
}

/**
 * The flags for requests to a live site. Without `permission`, only the words of a URL decide whether it may be
 * requested.
 */
type LiveFlags = Pick<
  ValidationFlags,
  'rate' | 'maxFetches' | 'userAgent' | 'fetchCache' | 'maxAge' | 'allowPrivate' | 'action' | 'resolve' | 'dryRun'
> & { readonly permission?: Permission };

export function openLive(
  flags: LiveFlags,
  isInside: (url: string, site: string) => boolean,
  signal: AbortSignal,
  effects: Effects,
): PageSource {
  const folder = flags.dryRun === true ? undefined : cacheFolder(flags, effects);
  const store = folder === undefined ? undefined : openStore(folder, flags);
  const known = flags.resolve === undefined ? undefined : addressTable(flags.resolve);
  return createLiveSource({
    userAgent: flags.userAgent ?? `dustbuster/${packageVersion()}`,
    documentOf,
    isInside,
    maxAgeSeconds: flags.maxAge,
    rate: flags.rate,
    maxRequests: flags.maxFetches,
    allowPrivate: flags.allowPrivate === true,
    extraActions: flags.action ?? [],
    ...(flags.permission !== undefined && { permission: flags.permission }),
    signal,
    ...(store !== undefined && {
      cache: createFetchCache(store, {
        form: `veil1-w${SHINGLE_WORDS}`,
        now: Date.now(),
        maxAgeSeconds: flags.maxAge,
      }),
    }),
    ...(known !== undefined && { known, lookup: async (host: string) => known.get(host) ?? lookupAll(host) }),
  });
}

/**
 * Opens the cache. An older version made the default folder readable for others, so that is corrected; a folder of the
 * user keeps its permissions.
 */
function openStore(folder: string, { fetchCache }: LiveFlags): LineStore {
  try {
    const store = new LineStore(join(folder, 'fetched.jsonl'), MAX_CACHE_LINE);
    if (fetchCache === undefined) closeFolder(folder);
    return store;
  } catch (cause) {
    if (!(cause instanceof UserError) || fetchCache !== undefined) throw cause;
    throw new UserError(`${cause.message} That is --fetch-cache FOLDER, or none for no cache.`, { cause });
  }
}

/** The user's folder, or else `$XDG_CACHE_HOME/dustbuster` or `~/.cache/dustbuster`; undefined for "none". */
function cacheFolder(flags: LiveFlags, effects: Effects): string | undefined {
  if (flags.fetchCache === 'none') return undefined;
  if (flags.fetchCache !== undefined) return resolve(effects.cwd, flags.fetchCache);
  const caches = effects.env['XDG_CACHE_HOME'] || join(effects.env['HOME'] || homedir(), '.cache');
  return join(caches, 'dustbuster');
}

/** Addresses from `host=address`, for a copy of a site that public name servers do not know. */
function addressTable(entries: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const entry of entries) {
    const [host, address, ...rest] = entry.split('=');
    if (!host || !address || rest.length > 0 || !isAddress(address)) {
      throw new UserError(`--resolve: got "${entry}", expected host=address as in www.example.com=10.0.0.7`);
    }
    addTo(table, host.toLowerCase(), address);
  }
  return table;
}
