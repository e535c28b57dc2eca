// The limits of a file of rules.
import { expect, test } from 'vitest';
import { importRules } from '../../../src/rule/import/import.js';

const REGEX = '<regex><pattern>/a$</pattern></regex>\n';

test.each([
  ['CSV', `from,to\n${'a,b\n'.repeat(3)}`, `from,to\n${'a,b\n'.repeat(4)}`, 5],
  ['XML', `<regex-normalize>\n${REGEX.repeat(3)}</regex-normalize>`, `<regex-normalize>\n${REGEX.repeat(99_999)}`, 5],
])('%s has as many rules as a file may have, and no more', (_, most, more, line) => {
  expect(importRules(Buffer.from(most), 'theirs', 3)).toMatchObject({ rows: 3, rules: [{ rank: 1 }] });
  expect(() => importRules(Buffer.from(more), 'theirs', 3)).toThrow(`line ${line}: got more than 3 rules`);
});
