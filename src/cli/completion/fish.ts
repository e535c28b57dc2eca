// The fish script: one line per command, option and operand.
import type { Vocabulary } from './vocabulary.js';
import type { CommandSheet, OptionSheet, Taking } from '../help/tree.js';

export function fishScript({ commands, everywhere }: Vocabulary): string {
  const valued = everywhere.filter(({ takes }) => takes !== 'nothing').map(({ long }) => long);
  const lines = [
    ...everywhere.map((option) => optionLine('', option)),
    ...commands.map(
      ({ name, summary }) => `complete -c dustbuster -n '__dustbuster_at ""' -a ${name} -d ${quoted(summary)}`,
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
      : `complete -c dustbuster -n '__dustbuster_at ${name}${place}' ${offerOf(takes, choices)}`;
  });
  return [...own, ...after.filter((line) => line !== '')];
}

function optionLine(condition: string, { short, long, text, takes, choices }: OptionSheet): string {
  const names = [...(short === undefined ? [] : [`-s ${short.slice(1)}`]), `-l ${long.slice(2)}`].join(' ');
  const value = takes === 'nothing' ? '' : ` -r ${offerOf(takes, choices)}`;
  return `complete -c dustbuster ${condition}${names}${value} -d ${quoted(text)}`;
}

function offerOf(takes: Taking, choices: readonly string[]): string {
  switch (takes) {
    case 'choice':
      return `-f -a ${quoted(choices.join(' '))}`;
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

/** fish knows two escapes between single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
