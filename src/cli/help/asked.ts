// Does a command line ask for help, and on what? `-h` and `--help` count anywhere before `--`, even if the rest of the
// line has mistakes: the user may still be writing it.

export interface HelpAsked {
  readonly form: 'short' | 'full';
  /** A command or a page: the first word of the line, if such a page exists. */
  readonly topic?: string;
}

export function helpAsked(args: readonly string[], isCommand: (word: string) => boolean): HelpAsked | undefined {
  if (args.length === 0) return undefined;
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const topic = words[0] === 'help' ? words.slice(1).find(isWord) : undefined;
  if (words[0] === 'help' && (topic !== undefined || words.length === 1)) return withTopic('full', topic);
  const form = words.includes('--help') ? 'full' : words.includes('-h') ? 'short' : undefined;
  if (form === undefined) return undefined;
  const first = words[0]!;
  return withTopic(form, words.find((word) => isCommand(word)) ?? (isWord(first) ? first : undefined));
}

function withTopic(form: HelpAsked['form'], topic: string | undefined): HelpAsked {
  return topic === undefined ? { form } : { form, topic };
}

function isWord(text: string): boolean {
  return text !== '' && !text.startsWith('-');
}
