// `dustbuster rehearse`: writes an export, starts a real server with it, replays URLs of the log, and compares pages of
// the site. A rule that fails is taken out, and the rest is rehearsed again, as forms change without it. The result is
// the export of the rules that are left.
import { resolve } from 'node:path';
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { writeFileWhole } from '../../../base/output.js';
import { createCanonizer } from '../../../canonize/canonizer.js';
import { plain } from '../../../export/heading.js';
import type { Exported, ExportRequest, LeftOut, Target } from '../../../export/target.js';
import { loadTarget } from '../../../export/targets.js';
import { countsReport } from '../../../report/render.js';
import { decided } from '../../../rule/decide.js';
import type { Rule, RulesFile } from '../../../rule/rule.js';
import { explainBy } from '../../../validate/ask/audit.js';
import { Judge } from '../../../validate/judge.js';
import type { Stranger } from '../../../validate/permission/stranger.js';
import { rehearse, type Rehearsed } from '../../../validate/rehearse.js';
import { drawNumber } from '../../../validate/sample.js';
import { refuseReplacing, refuseTwice } from '../../files.js';
import type { RehearseFlags } from '../../flags/rehearse.js';
import { endedBySignal } from '../../terminal/signals.js';
import { readListed } from '../input/listed.js';
import { hostsOfBase, permissionFor, type Readership, readershipFor } from '../input/readership.js';
import { judgeReading } from '../input/warnings.js';
import { exportRequest } from '../rules/export-request.js';
import { type LoadedRules, loadRulesInUse } from '../rules/in-use.js';
import { decisionsFile, lockDecisions, readDecisions, writeDecisions } from '../rules/local.js';
import { refuseMixed, writeSummary } from '../summary.js';
import { minedInputs } from '../validate/list-inputs.js';
import { openLive, siteOfPages } from '../validate/page-source.js';
import { endWords, lostWords, type Rehearsal, rehearsalReport, rehearsalSummary, type TakenOut } from './report.js';
import { findServer, REHEARSABLE, startServer } from './server.js';

/** How many URLs are replayed, a uniform draw of all. The server takes some seconds for them. */
const MOST_REPLAYED = 20_000;

/** Returns the exit code: 1 if a rule was taken out, 3 if the site stopped to answer. */
export async function rehearseRules(name: string, flags: RehearseFlags, effects: Effects): Promise<number> {
  if (flags.to === undefined) throw new UserError(`--to is missing: expected one of ${REHEARSABLE.join(', ')}`);
  refuseTwice(['RULES', [name]], ['--urls', flags.urls ?? []]);
  refuseMixed(flags, flags.output, 'the export');
  refuseReplacing(name, flags.output, effects);
  const vetoes = await vetoFile(name, flags, effects);
  const program = findServer(flags.to, effects);
  const target = (await loadTarget(flags.to))!;
  const loaded = await loadRulesInUse({ ...flags, rules: name }, effects);
  const base = flags.base ?? loaded.composing.base;
  const file = { options: { site: loaded.options.sitePolicy }, urlForm: loaded.options.urlForm };
  if (file.urlForm === 'path' && base === null) {
    throw new UserError(
      'the rules are of a log without hosts; name the site with --base, as in --base https://www.example.com',
    );
  }
  const names = flags.urls ?? (await minedInputs(loaded, effects, { option: '--urls', isQuiet: flags.quiet === true }));
  const readership = readershipFor({});
  const { urls, report } = await readListed(names, { ...loaded.composing, base }, flags, effects, readership);
  const { list, listed } = drawn(urls, siteOfBase(file, base), flags.seed, readership!.stranger);
  if (listed === 0)
    throw new UserError(`no URL of the list is of the site of --base ${base}; name another list or base`);
  const request = exportRequest(name, loaded, flags, { redirects: true });
  const code = await endedBySignal((signal) =>
    rehearseAll(
      { name, program, target, request, loaded, base, list, listed, file, vetoes, readership },
      flags,
      signal,
      effects,
    ),
  );
  if (flags.quiet !== true && flags.json !== true) effects.stderr.write(countsReport(report.inputs));
  return code || judgeReading(report, effects, flags);
}

type FileOfSite = Pick<RulesFile, 'urlForm'> & { readonly options: Pick<RulesFile['options'], 'site'> };

/** Returns a test whether a URL may be requested: with a base, only URLs of its site. */
function siteOfBase(file: FileOfSite, base: string | null): (url: string) => boolean {
  const siteOf = siteOfPages(file);
  const site = base === null ? undefined : siteOf(`${base}/`);
  return (url) => /^https?:\/\//.test(url) && (site === undefined || siteOf(url) === site);
}

type Drawn = Pick<Stage, 'list' | 'listed'>;

function drawn(
  urls: Iterable<Uint8Array>,
  isWanted: (url: string) => boolean,
  seed: number,
  stranger: Stranger,
): Drawn {
  const list: { url: string; number: number }[] = [];
  for (const bytes of urls) {
    const url = decodeText(bytes);
    if (isWanted(url)) list.push({ url, number: drawNumber(encodeText(url), seed ^ 0x5eed) });
  }
  const first = list.sort((a, b) => a.number - b.number || (a.url < b.url ? -1 : 1)).slice(0, MOST_REPLAYED);
  return { list: first.map(({ url }) => stranger.url(url)), listed: list.length };
}

interface Stage {
  /** The rules file. */
  readonly name: string;
  readonly program: string;
  readonly target: Target;
  readonly request: ExportRequest;
  readonly loaded: LoadedRules;
  readonly base: string | null;
  /** The URLs to replay, a draw of `listed` URLs. */
  readonly list: readonly string[];
  readonly listed: number;
  readonly file: FileOfSite;
  readonly readership: Readership | undefined;
  /** The file that gets vetoes of the rules that were taken out, with --veto. */
  readonly vetoes: string | undefined;
}

async function rehearseAll(stage: Stage, flags: RehearseFlags, signal: AbortSignal, effects: Effects): Promise<number> {
  const siteOf = siteOfPages(stage.file);
  // Pages from earlier runs say nothing about today's site, so the cache is used only if the user names it.
  const permission = permissionFor({ ...stage, flags: hostsOfBase(flags, stage.base) });
  const anew = { ...flags, fetchCache: flags.fetchCache ?? 'none', permission };
  const source = openLive(anew, (url, site) => siteOf(url) === site, signal, effects);
  const isThere = async (url: string) => {
    const again = await source.fetchAgain?.(url, siteOf(url));
    const before = await source.fetch(url, siteOf(url));
    return again?.kind === 'page' && before.kind === 'page' && again.finalUrl === before.finalUrl;
  };
  const judge = new Judge({ source, siteOf, base: stage.base ?? '', signal });
  try {
    const found = await rounds(stage, judge, isThere, flags, signal, effects);
    const rehearsal: Rehearsal = {
      ...found,
      server: stage.target.name,
      output: flags.output,
      source: stage.name,
      vetoFile: stage.vetoes,
      site: stage.base,
      listed: stage.listed,
      asked: { requests: source.requests, answered: source.answered! },
    };
    const lost = lostWords(rehearsal, flags);
    if (lost === undefined) {
      await writeFileWhole(flags.output, [rehearsal.exported.text], effects);
      if (stage.vetoes !== undefined) await vetoAll(rehearsal.out, stage.target.name, stage.vetoes, flags, effects);
    }
    if (flags.quiet !== true && flags.json !== true)
      effects.stderr.write(rehearsalReport(rehearsal, { isWritten: lost === undefined }, effects));
    if (flags.json === true) await writeSummary(rehearsalSummary(rehearsal, lost?.says), effects);
    if (lost !== undefined) {
      effects.stderr.write(`dustbuster: ${lost.says}; nothing is written\n`);
      if (lost.advice !== undefined) effects.stderr.write(`dustbuster: ${lost.advice}\n`);
      return 3;
    }
    return rehearsal.out.length > 0 ? 1 : 0;
  } finally {
    await source.close();
  }
}

/** Rehearses until no rule fails. */
async function rounds(
  { program, target, request, loaded, list }: Stage,
  judge: Judge,
  isThere: (url: string) => Promise<boolean>,
  flags: RehearseFlags,
  signal: AbortSignal,
  effects: Effects,
): Promise<Pick<Rehearsal, 'rounds' | 'out' | 'exported'>> {
  const done: Rehearsed[] = [];
  const out: TakenOut[] = [];
  for (let rules = request.rules; ;) {
    const takenOut = [...(request.takenOut ?? []), ...out.map(leftOutOf)];
    const exported = target.write({ ...request, rules, takenOut });
    const server = await startServer(target.name, program, exported.text, flags.tmpdir);
    effects.progress?.begin({ name: 'replaying', unit: 'URLs', total: list.length });
    const explain = explainBy(explainer(exported, loaded));
    const onUrl = () => effects.progress?.add(1);
    const { sample, seed } = flags;
    const found = await rehearse(list, {
      isThere,
      follow: (url) => server.follow(url),
      judge,
      explain,
      sample,
      seed,
      signal,
      onUrl,
    }).finally(() => server.stop());
    done.push(found);
    const failed = new Map<Rule, TakenOut>();
    for (const { rule, ...one } of found.failures)
      if (rule !== undefined && !failed.has(rule)) failed.set(rule, { ...one, rule });
    if (failed.size === 0 || found.stop !== undefined) return { rounds: done, out, exported };
    out.push(...failed.values());
    rules = rules.filter((rule) => !failed.has(rule));
  }
}

/** A failed rule for the comment at the top of the export. */
function leftOutOf(failure: TakenOut): LeftOut {
  const { rule, url } = failure;
  return { rule, reason: `taken out by rehearse, as ${plain(url)} ends ${endWords(failure)}` };
}

function explainer({ carried }: Exported, { options }: LoadedRules) {
  const canonizer = createCanonizer(carried, options);
  return (url: Uint8Array) => canonizer.explain(url);
}

// `rehearse --veto` keeps failed rules out of later exports, and out of canonize, until the user removes the veto.

/** The file for vetoes; undefined without `--veto`. Throws a UserError if vetoes cannot be added to it. */
export async function vetoFile(name: string, flags: RehearseFlags, effects: Effects): Promise<string | undefined> {
  const { veto, local } = flags;
  if (veto !== true) return undefined;
  if (local === false) throw new UserError('--veto: got --no-local with it; expected a file for vetoes, or no veto');
  const file = decisionsFile(name, local, effects);
  if (resolve(effects.cwd, file) === resolve(effects.cwd, flags.output)) {
    throw new UserError(
      `--veto: ${printable(file)} is for the vetoes and for the export; expected another file for one`,
    );
  }
  await readDecisions(file, local === undefined, effects);
  return file;
}

async function vetoAll(
  out: readonly TakenOut[],
  server: string,
  file: string,
  { local }: RehearseFlags,
  effects: Effects,
): Promise<void> {
  if (out.length === 0) return;
  await lockDecisions(file, 'dustbuster rehearse --veto', effects, async () => {
    const before = await readDecisions(file, local === undefined, effects);
    const entries = out.reduce(
      (all, one) => decided(all, one.rule, 'veto', `rehearse --to ${server}: ${plain(one.url)} ends ${endWords(one)}`),
      before?.entries ?? [],
    );
    await writeDecisions(file, entries, before, effects);
  });
}
