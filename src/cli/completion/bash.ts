// The bash script (bash 4 and later; it needs no bash-completion). Readline cuts `--accept=likely` into three words, so
// the script walks the words before the cursor: which command, how many operands, does an option expect a value?
import { groupBy } from '../../base/group-by.js';
import type { Vocabulary } from './vocabulary.js';
import type { OptionSheet, Taking } from '../help/tree.js';

export function bashScript({ commands, everywhere }: Vocabulary): string {
  const options = commands.flatMap(({ name, options: own }) => own.map((option) => ({ command: name, option })));
  const all = [...options, ...everywhere.map((option) => ({ command: '*', option }))];
  const valued = all.filter(({ option }) => option.takes !== 'nothing');
  const values = [...groupBy(valued, ({ option }) => offerOf(option.takes, option.choices))];
  const operands = commands.flatMap(({ name, operands: own }) =>
    own.map(({ takes, choices, isRepeatable }, at) => ({
      pattern: `${name}:${isRepeatable ? '*' : at}`,
      offer: offerOf(takes, choices),
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

/** A command that puts the candidates into COMPREPLY. */
function offerOf(takes: Taking, choices: readonly string[]): string {
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
