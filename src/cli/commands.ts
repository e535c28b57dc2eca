// Which commands are there? Each row has the help of a command, its options, and what it runs. The options and the code
// of a command are loaded when they are needed, so that other commands start without them.
import { Argument, type Command } from 'commander';
import type { Effects } from '../base/effects.js';
import type { Decision } from '../rule/decide.js';
import { configFlagOf } from './config/find.js';
import { DEFAULT_RULES_FILE, type Outcome } from './context.js';
import type { CanonizeFlags } from './flags/canonize.js';
import type { DupsFlags } from './flags/dups.js';
import type { EvalFlags } from './flags/eval.js';
import type { ExportFlags } from './flags/export.js';
import type { FormatsFlags } from './flags/formats.js';
import type { MineFlags } from './flags/mine.js';
import type { MirrorsFlags } from './flags/mirrors.js';
import { addOptions, type OptionTable } from './flags/option.js';
import { wordOption } from './flags/parse.js';
import type { RehearseFlags } from './flags/rehearse.js';
import type { ReportFlags } from './flags/report.js';
import type { RobotsFlags } from './flags/robots.js';
import type {
  DecideFlags,
  DiffFlags,
  ExplainFlags,
  ImportFlags,
  MergeRulesFlags,
  RulesFlags,
} from './flags/rules-files.js';
import type { SketchFlags } from './flags/sketch.js';
import type { ForgetFlags, RefreshFlags } from './flags/state.js';
import type { ValidateFlags } from './flags/validate.js';

/** The operands and the values of the options that a command is run with. */
interface Given<Operands, Flags> {
  readonly operands: Operands;
  readonly flags: Flags;
  readonly effects: Effects;
  readonly command: Command;
  readonly program: Command;
}

/**
 * `name` as commander writes it (`<one>`, `[one or none]`, `[any...]`), a description, and the allowed words or the
 * default.
 */
type Operand = readonly [name: string, text: string, among?: readonly string[] | string];

interface CommandRow<Operands extends readonly unknown[], Flags> {
  /** The description in the list of commands; by default `description`. */
  readonly summary?: string;
  readonly description: string | (() => Promise<string>);
  readonly operands?: readonly Operand[];
  readonly options?: () => Promise<OptionTable>;
  /** Returns the exit code; nothing means 0. */
  run(given: Given<Operands, Flags>): Promise<number | void>;
}

type AnyCommand = CommandRow<readonly unknown[], unknown>;

/** Checks the row's types; a command's operands and flags are known only inside its row. */
function rowOf<Operands extends readonly unknown[], Flags>(of: CommandRow<Operands, Flags>): AnyCommand {
  return of;
}

const RULES: Operand = ['[RULES]', 'the rules file', DEFAULT_RULES_FILE];

/** The commands by name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, AnyCommand> = new Map([
  [
    'mine',
    rowOf<[string[]], MineFlags>({
      summary: 'learn rewrite rules from logs, without fetching a page',
      description: async () =>
        'Reads logs and writes the likely DUST rules of each site, ranked.\n\n' +
        'INPUT is a file, a folder, a glob or - (standard input, also if none is named).\n' +
        `Formats: ${(await import('../log/format/format.js')).FORMAT_NAMES.join(', ')}, detected unless one is named. gzip, bzip2, xz and zstd are recognised by content.`,
      operands: [['[INPUT...]', 'logs, URL lists, folders, globs, or -']],
      options: async () => (await import('./flags/mine.js')).MINE_OPTIONS,
      async run({ operands: [names], flags, effects, command }) {
        (await import('./flags/spark.js')).refuseIdleSpark(command);
        (await import('./flags/mine.js')).refuseIdleMine(command, flags);
        return (await import('./run/mine/mine.js')).mine(names, flags, effects);
      },
    }),
  ],
  [
    'validate',
    rowOf<[string], ValidateFlags>({
      summary: 'prove or refute rules by fetching a small sample of pages',
      description:
        'Fetches samples of the URLs that each likely rule changes, and their images, and compares the pages.\n\n' +
        'RULES is a rules file; it is rewritten with a verdict in every rule. Rules that already have one are kept, so a ' +
        'validation that was cut short continues where it stopped. With --audit N no rule is tried: only u and what the rules in ' +
        'use make of it, for N URLs of the list. Fetches obey robots.txt, one at a time for each host.',
      operands: [RULES],
      options: async () => (await import('./flags/validate.js')).VALIDATE_OPTIONS,
      async run({ operands: [rules], flags, effects, command }) {
        const auditAlone = command.getOptionValueSource('audit') === 'cli' && flags.audit > 0;
        return (await import('./run/validate/validate.js')).validate(rules, { ...flags, auditAlone }, effects);
      },
    }),
  ],
  [
    'canonize',
    rowOf<[string[]], CanonizeFlags>({
      description: 'Give each URL its canonical form: line in, line out, in order.',
      operands: [['[url...]', 'URLs; without any, and without -i, lines of standard input']],
      options: async () => (await import('./flags/canonize.js')).CANONIZE_OPTIONS,
      async run({ operands: [urls], flags, effects, command }) {
        (await import('./flags/spark.js')).refuseIdleSpark(command);
        if (urls.length > 0 || flags.input.length > 0 || effects.stdin.isTTY !== true) {
          return (await import('./run/canonize/canonize.js')).canonize(urls, flags, effects);
        }
        effects.stderr.write(`Usage: ${command.createHelp().commandUsage(command)}\n${nothingGiven}\n`);
        return 2;
      },
    }),
  ],
  [
    'formats',
    rowOf<[string[]], FormatsFlags>({
      summary: 'show how the lines of a log are read, field by field',
      description:
        'Says in which format a file is, what became of its first lines field by field, why it is in no other format, and ' +
        'which --log-format or --columns reads the others. Without a file it lists the formats.',
      operands: [['[INPUT...]', 'logs and lists to look at; - is standard input']],
      options: async () => (await import('./flags/formats.js')).FORMATS_OPTIONS,
      run: async ({ operands: [names], flags, effects }) =>
        (await import('./run/formats.js')).formats(names, flags, effects),
    }),
  ],
  [
    'explain',
    rowOf<[string[]], ExplainFlags>({
      description: 'Show which rules touch a URL, in which order, with their evidence.',
      operands: [['[url...]', 'URLs; without any, all rules of the file are listed']],
      options: async () => (await import('./flags/rules-files.js')).EXPLAIN_OPTIONS,
      run: async ({ operands: [urls], flags, effects }) =>
        (await import('./run/explain.js')).explain(urls, flags, effects),
    }),
  ],
  [
    'eval',
    rowOf<[], EvalFlags>({
      summary: 'measure rules on a list of URLs: redundancy, coverage, precision@k, false merges',
      description:
        'Measures what rules make of a list of URLs, for each site and for each rule.\n\n' +
        'Whether two URLs are one page is decided by their labels: the sketches or digests of the list, or the file ' +
        'given with --truth. Without labels only the discovered redundancy is known.',
      options: async () => (await import('./flags/eval.js')).EVAL_OPTIONS,
      async run({ flags, effects, command }) {
        (await import('./flags/eval.js')).refuseIdleEval(command, flags);
        return (await import('./run/eval.js')).evaluate(flags, effects);
      },
    }),
  ],
  [
    'report',
    rowOf<[string[]], ReportFlags>({
      summary: 'write an HTML page: what dust costs, and what to do',
      description:
        'Writes one self-contained HTML page: what was read, the rules with their evidence and verdicts, and ' +
        'their precision.\n\n' +
        'Of a log it shows what duplicates cost in hits, bytes and bot hits; the fixes that save most, with lines to ' +
        'copy; URLs before and after, for each site; and what each parameter does to a page.\n\n' +
        'INPUT is a rules file (default: dustbuster-rules.json), whose log is named with --log; or a log, like any ' +
        'input of mine: then its rules are mined first, without fetching a page. - is standard input, and so is no ' +
        'INPUT where there is no dustbuster-rules.json.',
      operands: [['[INPUT...]', 'a rules file, or logs to mine; - is standard input']],
      options: async () => (await import('./flags/report.js')).REPORT_OPTIONS,
      async run({ operands: [names], flags, effects, command }) {
        const isTyped = (flag: string) => command.getOptionValueSource(flag) === 'cli';
        return (await import('./run/report/report.js')).report(names, flags, effects, isTyped);
      },
    }),
  ],
  [
    'export',
    rowOf<[string], ExportFlags>({
      summary: 'write rules for other software: a server, a cache, a crawler',
      description: 'Writes rules for other software: a server, a cache, a crawler, or a program of your own.',
      operands: [RULES],
      options: async () => (await import('./flags/export.js')).EXPORT_OPTIONS,
      run: async ({ operands: [rules], flags, effects }) =>
        (await import('./run/export.js')).exportRules(rules, flags, effects),
    }),
  ],
  [
    'rehearse',
    rowOf<[string], RehearseFlags>({
      summary: 'try an export in the real server, against the live site',
      description: 'Replays URLs through a real server with the export, and writes what survives the live site.',
      operands: [RULES],
      options: async () => (await import('./flags/rehearse.js')).REHEARSE_OPTIONS,
      run: async ({ operands: [rules], flags, effects }) =>
        (await import('./run/rehearse/rehearse.js')).rehearseRules(rules, flags, effects),
    }),
  ],
  [
    'robots',
    rowOf<[string], RobotsFlags>({
      summary: 'try a robots.txt on a log: what it shuts, what it misses, who obeys',
      description:
        'Tries a robots.txt on the requests of a log, line by line: which requests of bots and which pages it shuts, what ' +
        'vanishes from search, which lines do nothing, and which bots obeyed it. Nothing is fetched.',
      operands: [['<ROBOTS>', 'the robots.txt, as a file']],
      options: async () => (await import('./flags/robots.js')).ROBOTS_OPTIONS,
      run: async ({ operands: [file], flags, effects }) =>
        (await import('./run/robots.js')).rehearseRobots(file, flags, effects),
    }),
  ],
  [
    'sketch',
    rowOf<[string[]], SketchFlags>({
      summary: 'make a list of the pages of a crawl, with a sketch of each',
      description:
        'Reads the pages of a crawl, and writes a line of JSON for each answer: its URL, status, type, size, digest, ' +
        'sketch, canonical URL and redirect.\n\n' +
        'The list is a log with sketches, for mine, eval and dups, and the pages of validate --pages.',
      operands: [['[archive...]', 'WARC files, plain or compressed; folders and globs of them, or -']],
      options: async () => (await import('./flags/sketch.js')).SKETCH_OPTIONS,
      run: async ({ operands: [archives], flags, effects }) =>
        (await import('./run/sketch.js')).sketch(archives, flags, effects),
    }),
  ],
  [
    'dups',
    rowOf<[string[]], DupsFlags>({
      summary: 'find near-duplicate pages by their sketches: pairs and clusters',
      description:
        'Finds all pairs of pages whose sketches resemble each other, and their clusters.\n\n' +
        'Clusters are written as lines of URL, class (the same sketch or digest) and cluster, separated by tabs: labels ' +
        'for eval --truth.',
      operands: [['<input...>', 'lists of URLs with sketches, as sketch writes them; - is standard input']],
      options: async () => (await import('./flags/dups.js')).DUPS_OPTIONS,
      run: async ({ operands: [inputs], flags, effects }) =>
        (await import('./run/dups.js')).dups(inputs, flags, effects),
    }),
  ],
  [
    'mirrors',
    rowOf<[string[]], MirrorsFlags>({
      summary: 'find replicated collections: manuals, mirrors, aliases of hosts and folders',
      description:
        'Finds collections of linked pages that are there several times, on one host or on many, by chunks of their text ' +
        'and the links between them.',
      operands: [['<input...>', 'lists by sketch --links --chunks 4; - is standard input']],
      options: async () => (await import('./flags/mirrors.js')).MIRRORS_OPTIONS,
      run: async ({ operands: [inputs], flags, effects }) =>
        (await import('./run/mirrors/mirrors.js')).mirrors(inputs, flags, effects),
    }),
  ],
  [
    'refresh',
    rowOf<[string], RefreshFlags>({
      summary: 'list the pages to fetch tonight, by how often they have changed',
      description:
        'Lists the pages of a state that a crawler should fetch tonight, most urgent first, a URL per line.\n\n' +
        'How often a page changes is estimated from the sizes or digests that the logs of earlier nights have.',
      operands: [['<state>', 'the folder of a state, as mine --state keeps it']],
      options: async () => (await import('./flags/state.js')).REFRESH_OPTIONS,
      run: async ({ operands: [state], flags, effects }) =>
        (await import('./run/refresh.js')).refresh(state, flags, effects),
    }),
  ],
  [
    'forget',
    rowOf<[string[]], ForgetFlags>({
      summary: 'erase an address or a visitor from a state',
      description:
        'Removes all URLs from a state that hold a text, such as a mail address, a session or a URL, and rules that name it.\n\n' +
        'The text is looked for as it is, escaped or not, and as the made-up value that the state has for it.',
      operands: [['<text...>', 'what to forget, byte for byte; - reads texts from standard input, one a line']],
      options: async () => (await import('./flags/state.js')).FORGET_OPTIONS,
      run: async ({ operands: [texts], flags, effects }) =>
        (await import('./run/forget.js')).forgetTexts(texts, flags, effects),
    }),
  ],
  [
    'diff',
    rowOf<[string, string], DiffFlags>({
      summary: 'report what changed between the rules of two nights',
      description:
        'Compares two rules files by what the rules say, whatever their rank: new, gone, turned (direction, action, value), ' +
        'verdict, retired, exceptions, marked (pin, veto), weakened and strengthened.',
      operands: [
        ['<OLD>', 'the earlier rules file'],
        ['<NEW>', 'the newer rules file'],
      ],
      options: async () => (await import('./flags/rules-files.js')).DIFF_OPTIONS,
      run: async ({ operands, flags, effects }) =>
        (await import('./run/rules-files.js')).diff(operands, flags, effects),
    }),
  ],
  [
    'import',
    rowOf<[string], ImportFlags>({
      summary: 'read the rules of another learner: CSV, expressions, regex-normalize.xml',
      description:
        'Reads rules of another learner and writes them as a rules file, likely, in their order.\n\n' +
        'FILE is CSV or tab-separated with the columns from and to, and any of kind, anchor, site, status, use, name and ' +
        'confidence; or a regex-normalize.xml of Apache Nutch. All faults are reported in one run.',
      operands: [['<FILE>', 'the rules of the other learner; - is standard input']],
      options: async () => (await import('./flags/rules-files.js')).IMPORT_OPTIONS,
      run: async ({ operands: [name], flags, effects }) =>
        (await import('./run/import.js')).importFile(name, flags, effects),
    }),
  ],
  [
    'merge-rules',
    rowOf<[string[]], MergeRulesFlags>({
      summary: 'merge the rules files of all parts of the sites',
      description:
        'Merges the rules files that mine --part-of-sites wrote, one for each part, whatever their order. The result has ' +
        'the bytes that one run over all sites would have written, but for rules of classes of hosts: each part has its own.',
      operands: [['<part...>', 'the rules files of all parts']],
      options: async () => (await import('./flags/rules-files.js')).MERGE_RULES_OPTIONS,
      run: async ({ operands: [parts], flags, effects }) =>
        (await import('./run/rules-files.js')).mergeRules(parts, flags, effects),
    }),
  ],
  [
    'rules',
    rowOf<[string], RulesFlags>({
      summary: 'list the rules in use, one sentence each',
      description: 'Lists the valid and pinned rules of a rules file, each in one sentence, with its id.',
      operands: [RULES],
      options: async () => (await import('./flags/rules-files.js')).RULES_OPTIONS,
      run: async ({ operands: [rules], flags, effects }) =>
        (await import('./run/rules/list.js')).listRules(rules, flags, effects),
    }),
  ],
  [
    'pin',
    decision(
      'pin',
      'apply rules whatever pages say',
      'Pins rules of a rules file: they are applied, whatever log and pages say.',
    ),
  ],
  [
    'veto',
    decision(
      'veto',
      'never apply rules',
      'Vetoes rules of a rules file: they are never applied, and no page is fetched for them.',
    ),
  ],
  [
    'turn',
    decision(
      'turn',
      'apply rules the other way round',
      'Turns rules of a rules file round, and pins them so: what was left of the arrow becomes the canonical form.',
    ),
  ],
  [
    'config',
    rowOf<[string, string | undefined], { readonly json?: true }>({
      summary: 'show which options are set by files and variables',
      description:
        'Shows the options that files and DUSTBUSTER_* variables set, and where each was set; with COMMAND all options of that command.',
      operands: [
        ['<show>', 'show what is set, and where', ['show']],
        ['[COMMAND]', 'show all of its options, including defaults'],
      ],
      options: async () => ({ json: { kind: 'switch', flags: '--json', text: 'print one JSON document' } }),
      async run({ operands: [, name], flags: { json }, effects, program }) {
        const { showConfig } = await import('./config/show.js');
        await showConfig({ program, name, isJson: json === true, flag: configFlagOf(program) }, effects);
      },
    }),
  ],
  [
    'completion',
    rowOf<['bash' | 'zsh' | 'fish'], unknown>({
      summary: 'print a completion script for a shell',
      description: 'Prints a script with which a shell completes commands, options, their values and file names.',
      operands: [['<shell>', 'whose completion', ['bash', 'zsh', 'fish']]],
      run: async ({ operands: [shell], effects, program }) =>
        (await import('./completion/completion.js')).printCompletion(shell, program, effects),
    }),
  ],
  [
    'man',
    rowOf<[string], { readonly roff?: true }>({
      summary: 'show the manual page of a command, a file or a topic',
      description:
        'Shows a page of the manual with man; as text if there is no man, or if the output is not a terminal.',
      operands: [['[PAGE]', 'a command or a page', 'dustbuster']],
      options: async () => ({
        roff: {
          kind: 'switch',
          flags: '--roff',
          text: 'print the source of the page, to install it where man finds it',
        },
      }),
      run: async ({ operands: [name], flags: { roff }, effects, program }) =>
        (await import('./help/man.js')).showManual(name, roff === true ? 'source' : 'page', program, effects),
    }),
  ],
  [
    'help',
    rowOf<[string], unknown>({
      summary: 'show the full help of a command, or a page',
      description: 'Prints the full help of a command, like its --help, or a page of the manual as text.',
      operands: [['[PAGE]', 'a command or a page']],
      run: async () => {}, // `helpAsked` answers before any command runs
    }),
  ],
]);

const nothingGiven = `Got no URL, expected URLs as arguments, in files (-i FILE) or on standard input:
  dustbuster canonize < urls.txt`;

function decision(name: Decision, summary: string, description: string): AnyCommand {
  return rowOf<[string, string[]], DecideFlags>({
    summary,
    description: `${description} The decision is kept in rules.local.json beside the file.`,
    operands: [
      ['<RULES>', 'the rules file'],
      ['[rule...]', 'ids of rules, names of parameters, or rules as tables write them'],
    ],
    options: async () => (await import('./flags/rules-files.js')).DECIDE_OPTIONS,
    async run({ operands: [rules, names], flags, effects }) {
      if (flags.list === true) return (await import('./run/decide.js')).listDecisions(rules, names, flags, effects);
      return (await import('./run/decide.js')).decide(name, rules, names, flags, effects);
    },
  });
}

/** Adds a command to the program. */
export async function addCommand(program: Command, name: string, effects: Effects, outcome: Outcome): Promise<void> {
  const row = COMMANDS.get(name)!;
  const { summary, description, operands = [], options } = row;
  const command = program
    .command(name)
    .description(typeof description === 'string' ? description : await description());
  if (summary !== undefined) command.summary(summary);
  for (const operand of operands) command.addArgument(argumentOf(name, operand));
  if (options !== undefined) addOptions(command, await options(), effects);
  command.action(async (...given: unknown[]) => {
    const [values, flags] = [given.slice(0, operands.length), given[operands.length]];
    outcome.exitCode = (await row.run({ operands: values, flags, effects, command, program })) ?? 0;
  });
}

function argumentOf(command: string, [name, text, among]: Operand): Argument {
  const argument = new Argument(name, text);
  if (typeof among === 'string') argument.default(among);
  else if (among !== undefined) {
    argument.argParser(wordOption(command, among));
    argument.argChoices = [...among]; // for help and completion
  }
  return argument;
}
