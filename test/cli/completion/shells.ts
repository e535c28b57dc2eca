// Asks real shells what they offer at the end of a command line.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * What a shell offers for each of `lines`, sorted; without descriptions and without the option that a value belongs to.
 */
export type Ask = (script: string, lines: readonly string[], folder: string) => string[][];

export const SHELLS: Readonly<Record<string, Ask>> = { bash: askBash, fish: askFish, zsh: askZsh };

export function hasShell(shell: string): boolean {
  return spawnSync(shell, ['--version']).error === undefined;
}

const END = 'END OF OFFERS';

/** Splits the line as readline does, for which `=` is a word of its own, and calls the function. */
function askBash(script: string, lines: readonly string[], folder: string): string[][] {
  const asking = `source ${script}
while IFS= read -r line; do
  read -ra COMP_WORDS <<< "\${line//=/ = }"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _dustbuster
  [ \${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "\${COMPREPLY[@]}"
  echo '${END}'
done`;
  return answersOf(spawn('bash', ['--norc', '-c', asking], lines, folder));
}

function askFish(script: string, lines: readonly string[], folder: string): string[][] {
  const asking = `source ${script}
while read -l line
  complete -C $line
  echo '${END}'
end`;
  return answersOf(spawn('fish', ['--no-config', '-c', asking], lines, folder));
}

/**
 * zsh completes only in an interactive shell, so one runs in a pseudo-terminal, with a compadd in front of the real one
 * that records what would be added to its list.
 */
function askZsh(script: string, lines: readonly string[], folder: string): string[][] {
  const inside = `PROMPT=; PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste auto_list auto_menu; cd ${folder}
autoload -U compinit; compinit -D -u; source ${script}
zstyle ':completion:*' insert-tab false
compadd () {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offers; builtin compadd -A offers "$@"
  (( \${#offers} )) && print -rl -- "OFFER "\${^offers}
  builtin compadd "$@"
}
ask () { print; zle complete-word; print -r -- '${END}'; zle kill-whole-line }
zle -N ask; bindkey '^I' ask
print READY`;
  const outside = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "$(cat)"
zpty -r shell answer '*READY*READY*'
for line; do
  zpty -w -n shell "$line"$'\\t'
  zpty -r shell answer '*${END}*'
  print -r -- $answer
done`;
  const options = { input: inside, cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
  const { stdout } = spawnSync('zsh', ['-f', '-c', outside, 'ask', ...lines], options);
  const answers = stdout.split(END).slice(0, -1);
  return answers.map((answer) => tidy(Array.from(answer.matchAll(/OFFER (.*?)\r?\n/g), ([, offer]) => offer!.trim())));
}

function spawn(shell: string, args: readonly string[], lines: readonly string[], folder: string): string {
  const input = lines.map((line) => `${line}\n`).join('');
  const { stdout, stderr, status } = spawnSync(shell, args, {
    input,
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, HOME: join(folder) },
  });
  if (status !== 0 || stderr !== '') throw new Error(`${shell} ends with ${status}: ${stderr}`);
  return stdout;
}

function answersOf(stdout: string): string[][] {
  const answers = stdout.split(`${END}\n`).slice(0, -1);
  return answers.map((answer) => tidy(answer.split('\n').filter((line) => line !== '')));
}

function tidy(offers: readonly string[]): string[] {
  const bare = offers.map((offer) =>
    offer
      .replace(/\t.*/, '')
      .replace(/^--?[\w-]+=(?=.)/, '')
      .replace(/\/$/, '')
      .replace(/=$/, ''),
  );
  return [...new Set(bare)].sort();
}
