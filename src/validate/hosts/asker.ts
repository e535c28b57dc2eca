// Asks pairs of many sites for one rule. Each site has a judge of its own, as pages of one template are no soft errors
// elsewhere.
import { Judge } from '../judge.js';
import { BOTH_REDIRECT } from '../site-word.js';
import { type Answer, Asker, IMAGE_UNKNOWN } from '../ask/answer.js';
import type { HostPair } from './plan.js';

const SAME: Answer = {
  kind: 'positive',
  reason: '',
  isForeign: false,
  forward: undefined,
  backward: undefined,
  isSame: true,
  document: undefined,
};

/** Asks one site. Two URLs that redirect to one page show one page: each rule is asked as if it were alone. */
export class SiteAsker extends Asker {
  async askPair({ url, image, twin, kin }: HostPair, needsWord: boolean): Promise<Answer> {
    const answer = await (needsWord ? this.askForWord(url, image) : this.ask(url, image));
    if (answer.kind !== 'unjudged') return answer;
    if (answer.reason === BOTH_REDIRECT) return SAME;
    if (answer.reason !== IMAGE_UNKNOWN || needsWord) return answer;
    const ofTwin = twin === undefined ? answer : await this.ask(url, twin);
    if (ofTwin.kind === 'unjudged' && ofTwin.reason === BOTH_REDIRECT) return SAME;
    if (ofTwin.kind !== 'unjudged' || kin === undefined) return ofTwin;
    // Other rules make these two one as well, so if they differ it may be by those.
    const ofKin = await this.ask(url, kin);
    return ofKin.kind === 'negative' ? answer : ofKin;
  }
}

/** Asks each pair of the site that it belongs to. */
export class ClassAsker extends Asker {
  readonly #pairs: ReadonlyMap<string, { readonly pair: HostPair; readonly asker: SiteAsker }>;

  constructor(judge: Judge, pairs: Iterable<readonly [SiteAsker, readonly HostPair[]]>) {
    super(judge, '');
    this.#pairs = new Map(
      [...pairs].flatMap(([asker, some]) => some.map((pair) => [pair.url, { pair, asker }] as const)),
    );
  }

  override async ask(form: string): Promise<Answer> {
    const { pair, asker } = this.#pairs.get(form)!;
    return this.isSpent ? { kind: 'stop', reason: 'budget' } : asker.askPair(pair, false);
  }

  override async askForWord(form: string): Promise<Answer> {
    const { pair, asker } = this.#pairs.get(form)!;
    return this.isSpent ? { kind: 'stop', reason: 'budget' } : asker.askPair(pair, true);
  }
}
