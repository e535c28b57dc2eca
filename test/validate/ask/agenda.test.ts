// What is asked next: the order of hypotheses before any answer, and after answers of others.
import { expect, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { Agenda } from '../../../src/validate/ask/agenda.js';
import { hypothesisOf, type Hypothesis } from '../../../src/validate/ask/hypothesis.js';
import { SiteForms } from '../../../src/validate/ask/site-forms.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { many, options } from './asked.js';

/** Each page with and without each parameter, so that its removal saves as many forms as there are pages. */
function agendaOf(pages: number, parameters: readonly string[]): Agenda {
  const urls = many(pages, (k) => `http://h/p${k}`);
  const all = [...urls, ...urls.flatMap((url) => parameters.map((parameter) => `${url}?${parameter}`))];
  return new Agenda(new SiteForms(all, () => (url) => url, options), { minSaving: 3, minSamples: 3 });
}

const asked = (prior: number, rule: Rule): Hypothesis => hypothesisOf([rule], { prior });
const removal = (name: string) => sampleParameter(name, { site: '*', status: 'likely' });

function nextOf(agenda: Agenda): string | undefined {
  const rule = agenda.next(0.01)?.hypothesis.rules[0];
  return rule?.kind === 'parameter' ? rule.name : rule?.kind;
}

test('refuted removals say nothing about parameters that are known to describe the visit', () => {
  const agenda = agendaOf(100, ['x=1', 'utm_source=1']);
  agenda.add([asked(0.95, removal('utm_source')), asked(0.5, sampleRule('?x=1', '', { site: '*', status: 'likely' }))]);
  for (const name of many(12, (k) => `p${k}`)) agenda.learn(asked(0.25, removal(name)), 'refuted');
  expect(nextOf(agenda)).toBe('utm_source');
});

test('a refutation is reckoned at what it costs: what is likely comes before what is a guess and saves three times as much', () => {
  const agenda = agendaOf(100, ['a=1', 'a=2', 'a=3', 'b=1']);
  agenda.add([asked(0.1, removal('a')), asked(0.5, removal('b'))]);
  expect(nextOf(agenda)).toBe('b');
});
