// Rules about lists, asked of real servers: they hold where a page is a function of the set of choices, and nowhere else.
import { describe, expect, it } from 'vitest';
import type { StepRule } from '../../../src/rule/rule.js';
import { sampleStep } from '../../rule/sample.js';
import { many } from './asked.js';
import { askServer } from './loopback.js';

const TAGS = ['red', 'blue', 'big', 'old', 'new', 'soft'];
/** Lists of two and three choices, which the log mostly has in one order. */
const lists = many(40, (k) => {
  const [a, b, c] = [k % 6, (k * 5 + 1) % 6, (k * 7 + 3) % 6].map((at) => TAGS[at]!);
  return [...new Set(k % 3 === 0 ? [a!, b!] : [a!, b!, c!])];
}).filter((list) => list.length > 1);
/** Some have a choice twice. */
const paths = [
  ...new Set(
    lists.map((list, k) => `/list?tags=${[...list, ...(k % 4 === 0 ? [list[0]!] : [])].join(',')}&page=${k % 2}`),
  ),
];

const sort = sampleStep('sort-items', '?tags ,', { status: 'likely' });
const drop = sampleStep('drop-repeated-items', '?tags ,', { status: 'likely' });

type Shop = (tags: readonly string[]) => string;

const shops: Readonly<Record<string, Shop>> = {
  'the set of choices': (tags) => [...new Set(tags)].sort().join(' '),
  'the choices in their order': (tags) => tags.join(' '),
  'the last choice': (tags) => tags.at(-1)!,
  'the first choice': (tags) => tags[0]!,
};

/** The verdict on a rule, and the requests that it took. */
async function asked(shop: Shop, rule: StepRule) {
  const answers = ({ searchParams }: URL) =>
    `${shop((searchParams.get('tags') ?? '').split(','))} ${searchParams.get('page')}`;
  const { answer } = await askServer(answers, paths, { rules: [rule] });
  const held = answer.accepted.filter((one) => one.kind === 'step' && one.step === rule.step && one.text === rule.text);
  return { isAccepted: held.length > 0, requests: [...answer.requests.values()].reduce((sum, n) => sum + n, 0) };
}

describe('the choices of a list', () => {
  it.each(Object.keys(shops))('are sorted only where the page shows a set: %s', async (name) => {
    const { isAccepted, requests } = await asked(shops[name]!, sort);
    expect(isAccepted).toBe(name === 'the set of choices');
    expect(requests).toBeLessThan(isAccepted ? 110 : 40);
  });

  it.each(['the set of choices', 'the choices in their order'])('are not repeated only there: %s', async (name) => {
    const { isAccepted } = await asked(shops[name]!, drop);
    expect(isAccepted).toBe(name === 'the set of choices');
  });
});
