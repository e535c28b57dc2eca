// Which words are function words? SpotSigs (SIGIR 2008) looks at what follows them: prose is full of them, menus and
// lists of links have hardly any.
//
//   antecedent   a signature begins behind it, as many words further on as its distance says
//   stop word    is stepped over on the way to the words of a signature; all antecedents are stop words
//
// The antecedents are those of the authors' program: English, and the articles of French and Spanish. Text of other
// languages has few spot signatures, or by chance, unless words of its own are given.
import { UserError } from '../base/error.js';
import { hashWords } from './shingle.js';

/** Words and their distances, 1 … 99. */
export type Antecedents = ReadonlyMap<string, number>;

const near =
  'that in the be are was will would shall should can could has have had do did does done un une le la el al';

export const ANTECEDENTS: Antecedents = new Map([...near.split(' ').map((word) => [word, 1] as const), ['is', 2]]);

export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again against all almost alone along already also although always am among an ' +
    'and another any anybody anyone anything anyway anywhere around as at away back became because been ' +
    'before behind being below beside besides between beyond both but by came cannot come comes despite ' +
    'doing don down during each either else enough even ever every everybody everyone everything few for ' +
    'from further get gets getting give given go goes going gone got he hence her here hers herself him ' +
    'himself his how however i if indeed instead into it its itself just last least less let like ll ' +
    'made make makes many may maybe me might mine more most mostly much must my myself near neither ' +
    'never next no nobody none nor not nothing now nowhere of off often on once one only onto or other ' +
    'others otherwise our ours ourselves out over own per perhaps quite rather re really s same see seem ' +
    'seems self several she since so some somebody someone something sometimes still such t than their ' +
    'theirs them themselves then there therefore these they this those though through throughout thus ' +
    'till to together too toward towards under unless until up upon us use used uses using ve very via ' +
    'want wants we well went were what whatever when whenever where whereas wherever whether which while ' +
    'who whoever whole whom whose why with within without yet you your yours yourself yourselves de du ' +
    'des les et en est que qui dans sur par pour au aux ce los las y es por con para del se'
  ).split(' '),
);

/**
 * A list of words, one a line; with `distances`, `word 2`: so many words further on (default 1). Empty lines and lines
 * that begin with # are skipped. Throws a UserError.
 */
export function readWordList(text: string, name: string, option: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [at, line] of text.toLowerCase().split(/\r?\n/).entries()) {
    const parts = /^\s*(?:#.*|(\S+)(?:\s+([1-9]\d?))?\s*)?$/.exec(line);
    const [, word, distance] = parts ?? [];
    if (parts !== null && word === undefined) continue;
    if (word === undefined || hashWords(word).count !== 1) {
      throw new UserError(
        `${option}: line ${at + 1} of ${name}: got ${JSON.stringify(line.slice(0, 60))}; ` +
          'expected one word of letters or digits, maybe with a distance of 1 to 99, such as: is 2',
      );
    }
    words.set(word, Number(distance ?? 1));
  }
  if (words.size === 0) throw new UserError(`${option}: got no word in ${name}; expected one a line`);
  return words;
}
