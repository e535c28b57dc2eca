// The zsh script: one `_arguments` per command.
import type { Vocabulary } from './vocabulary.js';
import type { CommandSheet, OperandSheet, OptionSheet, Taking } from '../help/tree.js';

export function zshScript({ commands, everywhere }: Vocabulary): string {
  const described = commands.map(({ name, summary }) => quoted(`${name}:${summary.replaceAll(':', '\\:')}`));
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

/** `'(-o --output)'{-o+,--output=}'[where to write the rules]:file:_files'` */
function optionSpec(option: OptionSheet, all: readonly OptionSheet[]): string {
  const { short, long, text, placeholder, takes, choices, isRepeatable } = option;
  const isValued = takes !== 'nothing';
  const opposite = long.startsWith('--no-') ? `--${long.slice(5)}` : `--no-${long.slice(2)}`;
  const others = all.some((other) => other.long === opposite) ? [opposite] : [];
  const names = [...(short === undefined ? [] : [short]), long];
  const before = isRepeatable ? ['*'] : [`(${[...names, ...others].join(' ')})`];
  const after = `[${text.replace(/[\\[\]]/g, '\\$&')}]${isValued ? `:${placeholder}:${offerOf(takes, choices)}` : ''}`;
  const spelled = names.map((name) => (isValued ? `${name}${name === long ? '=' : '+'}` : name));
  if (spelled.length === 1) return quoted(before.join('') + spelled[0]! + after);
  return `${quoted(before.join(''))}{${spelled.join(',')}}${quoted(after)}`;
}

function operandSpec({ name, takes, choices, isRepeatable }: OperandSheet, at: number): string {
  return quoted(`${isRepeatable ? '*' : at + 1}:${name}:${offerOf(takes, choices)}`);
}

function offerOf(takes: Taking, choices: readonly string[]): string {
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
