import { describe, expect, test } from 'vitest';
import { controlsOf, differencesOf } from '../../src/sketch/controls.js';

const of = (html: string) => controlsOf(Buffer.from(`<html><body>${html}</body></html>`), 'text/html')!;
const between = (a: string, b: string, addresses: string[] = []) => differencesOf(of(a), of(b), addresses);

const tab = (name: string) =>
  ['history', 'notes'].map((one) => `<a ${one === name ? 'class="selected" ' : ''}href="?tab=${one}">x</a>`).join(' ');

test.each([
  ['another tab', tab('history'), tab('notes'), ['shown']],
  ['the same tab', tab('notes'), tab('notes'), []],
  [
    'a box that is checked',
    '<input type=checkbox name=a value=1>',
    '<input type=checkbox name=a value=1 checked>',
    ['shown'],
  ],
  ['a part that is open', '<div aria-expanded="true">', '<div aria-expanded="false">', ['shown']],
  [
    'another hidden value',
    '<input type=hidden name=parent value=0>',
    '<input type=hidden name=parent value=809>',
    ['sent'],
  ],
  ['a field without a value', '<input name=q value="">', '', []],
  [
    'the address of the page',
    '<input type=hidden name=back value="/a?b=1">',
    '<input type=hidden name=back value="/a">',
    [],
  ],
  ['a token', '', '<input type=hidden name=csrf_token value="9f86d081884c7d659a2feaa0c55ad015">', []],
  ['links and words', '<p>some <a href="/a?sort=x">words</a></p>', '<p>others <a href="/a">entirely</a></p>', []],
  ['what a template holds', '<template><i class="a"></i></template>', '', []],
])('%s', (_, a, b, differences) => {
  expect(between(a, b)).toEqual(differences);
});

describe('fields of the address', () => {
  const passed = '<input type=hidden name=h value="next one">';

  test('that a form passes on are no difference', () => {
    expect(between(passed, '', ['http://h/tree?h=next+one&id=1', 'http://h/tree?id=1'])).toEqual([]);
  });

  test('are one where the form has a value of its own without them', () => {
    expect(between(passed, passed.replace('next one', 'main'), ['http://h/tree?h=next+one'])).toEqual(['sent']);
  });
});

test('boxes of search forms, and the hidden twin that sends them empty', () => {
  const box = (name: string) => `<input type=hidden name=${name} value=""><input type=checkbox name=${name} value=1>`;
  const radio = '<input type=RADIO name=in value=a><input type=text name=q>';
  const { fields, boxes } = of(`<form>${box('all')}${radio}</form><form method=post>${box('mine')}</form>`);
  expect({ fields, boxes }).toEqual({ fields: ['all', 'in', 'q'], boxes: ['all', 'in'] });
});

test('names that visitors choose in search forms, and no others', () => {
  const form = (method: string, name: string) =>
    `<form ${method}><input type=hidden name=h${name}><input name=${name}><select name=s${name}></select></form>`;
  expect(of(`${form('', 'a')}${form('method=POST', 'b')}${form('method=get', 'c')}<input name=d>`).fields).toEqual([
    'a',
    'sa',
    'c',
    'sc',
  ]);
});

test('only HTML has controls', () => {
  expect(controlsOf(Buffer.from('<rss><a class="b"/></rss>'), 'text/xml')).toBeUndefined();
});
