// `dustbuster completion`: a script for a shell, made from the commander tree.
//
// The scripts contain everything they offer, so TAB starts no program. @bomb.sh/tab asks the program at every TAB
// instead, which costs a start of Node with all commands each time. Its current version (0.0.22) also never offers
// files, and its bash script evals the words of the line, so TAB after `$(…)` runs the code in it.
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { groupBy } from '../../base/group-by.js';
import { createSink, pour } from '../../base/output.js';
import { pageNames } from '../help/pages.js';
import {
  type CommandSheet,
  type OperandSheet,
  type OptionSheet,
  optionsOfAll,
  sheetOf,
  type Taking,
} from '../help/tree.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `program` must have all its commands. */
export function printCompletion(shell: keyof typeof SCRIPTS, program: Command, effects: Effects): Promise<void> {
  return pour([SCRIPTS[shell](vocabularyOf(program))], createSink(effects.stdout));
}

/** Everything that may appear on a command line. */
interface Vocabulary {
  readonly commands: readonly CommandSheet[];
  /** Options that every command takes, `--help` among them. */
  readonly everywhere: readonly OptionSheet[];
}

/** `program` must have all its commands. */
export function vocabularyOf(program: Command): Vocabulary {
  const sheets = program.commands.map(sheetOf);
  const names: Readonly<Record<string, readonly string[]>> = {
    PAGE: pageNames(program),
    COMMAND: sheets.map(({ name }) => name),
  };
  const named = (operand: OperandSheet): OperandSheet => {
    const choices = names[operand.name];
    return choices === undefined ? operand : { ...operand, takes: 'choice', choices };
  };
  return {
    commands: sheets.map((sheet) => ({ ...sheet, operands: sheet.operands.map(named) })),
    everywhere: optionsOfAll(program),
  };
}

// The script for bash 4 and later, which does not need bash-completion. Readline cuts `--accept=likely` into three
// words, so the script walks the words before the cursor to find the command, the number of operands, and an option
// that still expects a value.

export function bashScript({ commands, everywhere }: Vocabulary): string {
  const options = commands.flatMap(({ name, options: own }) => own.map((option) => ({ command: name, option })));
  const all = [...options, ...everywhere.map((option) => ({ command: '*', option }))];
  const valued = all.filter(({ option }) => option.takes !== 'nothing');
  const values = [...groupBy(valued, ({ option }) => bashOffer(option.takes, option.choices))];
  const operands = commands.flatMap(({ name, operands: own }) =>
    own.map(({ takes, choices, isRepeatable }, at) => ({
      pattern: `${name}:${isRepeatable ? '*' : at}`,
      offer: bashOffer(takes, choices),
    })),
  );
  return `# bash completion for dustbuster; in ~/.bashrc: source <(dustbuster completion bash)
_dustbuster() {
    local cur=\${COMP_WORDS[COMP_CWORD]} command='' pending='' ended='' word k
    local -i operands=0
    COMPREPLY=()
    for ((k = 1; k < COMP_CWORD; k++)); do
        word=\${COMP_WORDS[k]}
        if [[ $word == '=' ]]; then continue; fi
        if [[ -n $pending ]]; then pending=''; continue; fi
        if [[ -z $ended && $word == '--' ]]; then ended=1; continue; fi
        if [[ -z $ended && $word == -* ]]; then
            case "$command:$word" in
                ${[...patternsOf(valued)].join(' | ')}) pending=$word ;;
            esac
        elif [[ -z $command ]]; then command=$word
        else operands+=1
        fi
    done
    local before=''
    if [[ $cur == '=' ]]; then cur=''; fi
    if [[ -z $pending && -z $ended && $cur == --*=* ]]; then
        pending=\${cur%%=*} before=\${cur%%=*}= cur=\${cur#*=}
    fi
    if [[ -n $pending ]]; then
        case "$command:$pending" in
${values.map(([offer, rows]) => `            ${patternsOf(rows).join(' | ')}) ${offer} ;;`).join('\n')}
        esac
        if [[ -n $before ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$before}"); fi
    elif [[ -z $ended && $cur == -* ]]; then
        case $command in
${commands.map(({ name, options: own }) => `            ${name}) ${words(namesOf([...own, ...everywhere]))} ;;`).join('\n')}
            *) ${words(namesOf(everywhere))} ;;
        esac
    elif [[ -z $command ]]; then
        ${words(commands.map(({ name }) => name))}
    else
        case "$command:$operands" in
${operands.map(({ pattern, offer }) => `            ${pattern}) ${offer} ;;`).join('\n')}
        esac
    fi
}

_dustbuster_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_dustbuster_files() {
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

complete -F _dustbuster dustbuster
`;
}

/** A bash command that puts the candidates into COMPREPLY. */
function bashOffer(takes: Taking, choices: readonly string[]): string {
  switch (takes) {
    case 'choice':
      return words(choices);
    case 'file':
      return '_dustbuster_files -f "$cur"';
    case 'folder':
      return '_dustbuster_files -d "$cur"';
    case 'text':
    case 'nothing':
      return ':';
  }
  return takes satisfies never;
}

function words(choices: readonly string[]): string {
  return `_dustbuster_words '${choices.join(' ')}' "$cur"`;
}

function namesOf(options: readonly OptionSheet[]): string[] {
  return options.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long]));
}

interface Row {
  readonly command: string;
  readonly option: OptionSheet;
}

function patternsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ command, option }) => namesOf([option]).map((name) => `${command}:${name}`));
}

// The script for fish: one line per command, option and operand.

export function fishScript({ commands, everywhere }: Vocabulary): string {
  const valued = everywhere.filter(({ takes }) => takes !== 'nothing').map(({ long }) => long);
  const lines = [
    ...everywhere.map((option) => optionLine('', option)),
    ...commands.map(
      ({ name, summary }) => `complete -c dustbuster -n '__dustbuster_at ""' -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...commands.flatMap(commandLines),
  ];
  return `# fish completion for dustbuster; in ~/.config/fish/config.fish: dustbuster completion fish | source

# Is this the command of the line, and how many operands does it have? An empty name: has the line none yet?
function __dustbuster_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l operands
    set -l skip no
    for word in $words
        if test $skip = yes
            set skip no
        else if contains -- $word ${valued.join(' ')}
            set skip yes
        else if not string match -q -- '-*' $word
            set -a operands $word
        end
    end
    if test -z "$argv[1]"
        test (count $operands) -eq 0
    else if test "$operands[1]" = "$argv[1]"
        test -z "$argv[2]"; or test (count $operands) -eq (math $argv[2] + 1)
    else
        false
    end
end

complete -c dustbuster -f
${lines.join('\n')}
`;
}

function commandLines({ name, options, operands }: CommandSheet): string[] {
  const own = options.map((option) => optionLine(`-n '__dustbuster_at ${name}' `, option));
  const after = operands.map(({ takes, choices, isRepeatable }, at) => {
    const place = isRepeatable ? '' : ` ${at}`;
    return takes === 'text'
      ? ''
      : `complete -c dustbuster -n '__dustbuster_at ${name}${place}' ${fishOffer(takes, choices)}`;
  });
  return [...own, ...after.filter((line) => line !== '')];
}

function optionLine(condition: string, { short, long, text, takes, choices }: OptionSheet): string {
  const names = [...(short === undefined ? [] : [`-s ${short.slice(1)}`]), `-l ${long.slice(2)}`].join(' ');
  const value = takes === 'nothing' ? '' : ` -r ${fishOffer(takes, choices)}`;
  return `complete -c dustbuster ${condition}${names}${value} -d ${fishQuoted(text)}`;
}

function fishOffer(takes: Taking, choices: readonly string[]): string {
  switch (takes) {
    case 'choice':
      return `-f -a ${fishQuoted(choices.join(' '))}`;
    case 'file':
      return '-F';
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'text':
    case 'nothing':
      return '-f';
  }
  return takes satisfies never;
}

/** fish has only two escapes inside single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

// The script for zsh: one `_arguments` per command.

export function zshScript({ commands, everywhere }: Vocabulary): string {
  const described = commands.map(({ name, summary }) => zshQuoted(`${name}:${summary.replaceAll(':', '\\:')}`));
  return `#compdef dustbuster
# zsh completion for dustbuster; in ~/.zshrc, after compinit: source <(dustbuster completion zsh)

_dustbuster() {
    local curcontext="$curcontext" state line ret=1
    typeset -A opt_args
    _arguments -C -s -S \\
        ${everywhere.map((option) => optionSpec(option, everywhere)).join(' \\\n        ')} \\
        ': :_dustbuster_commands' '*::: :->operands' && ret=0
    [[ $state == operands ]] || return ret
    words=($line[1] "\${words[@]}")
    (( CURRENT += 1 ))
    curcontext="\${curcontext%:*:*}:dustbuster-$line[1]:"
    case $line[1] in
${commands.map((command) => commandCase(command, everywhere)).join('\n')}
    esac
    return ret
}

_dustbuster_commands() {
    local -a commands=(
        ${described.join('\n        ')}
    )
    _describe -t commands 'dustbuster command' commands
}

if [[ $funcstack[1] == _dustbuster ]]; then
    _dustbuster "$@"
else
    compdef _dustbuster dustbuster
fi
`;
}

function commandCase({ name, options, operands }: CommandSheet, everywhere: readonly OptionSheet[]): string {
  const all = [...options, ...everywhere];
  const specs = [...all.map((option) => optionSpec(option, all)), ...operands.map(operandSpec)];
  return `    ${name})
        _arguments -s -S \\
            ${specs.join(' \\\n            ')} && ret=0
        ;;`;
}

/** Such as `'(-o --output)'{-o+,--output=}'[where to write the rules]:file:_files'`. */
function optionSpec(option: OptionSheet, all: readonly OptionSheet[]): string {
  const { short, long, text, placeholder, takes, choices, isRepeatable } = option;
  const isValued = takes !== 'nothing';
  const opposite = long.startsWith('--no-') ? `--${long.slice(5)}` : `--no-${long.slice(2)}`;
  const others = all.some((other) => other.long === opposite) ? [opposite] : [];
  const names = [...(short === undefined ? [] : [short]), long];
  const before = isRepeatable ? ['*'] : [`(${[...names, ...others].join(' ')})`];
  const after = `[${text.replace(/[\\[\]]/g, '\\$&')}]${isValued ? `:${placeholder}:${zshOffer(takes, choices)}` : ''}`;
  const spelled = names.map((name) => (isValued ? `${name}${name === long ? '=' : '+'}` : name));
  if (spelled.length === 1) return zshQuoted(before.join('') + spelled[0]! + after);
  return `${zshQuoted(before.join(''))}{${spelled.join(',')}}${zshQuoted(after)}`;
}

function operandSpec({ name, takes, choices, isRepeatable }: OperandSheet, at: number): string {
  return zshQuoted(`${isRepeatable ? '*' : at + 1}:${name}:${zshOffer(takes, choices)}`);
}

function zshOffer(takes: Taking, choices: readonly string[]): string {
  switch (takes) {
    case 'choice':
      return `(${choices.join(' ')})`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'text':
    case 'nothing':
      return ' ';
  }
  return takes satisfies never;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
