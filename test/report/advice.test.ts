import { expect, test } from 'vitest';
import { adviceReport, classesLine, crowdLine, prospectsLine } from '../../src/report/advice.js';

test.each([
  [
    { sure: 11, sureCases: 37, promising: 20, sureUrls: 400, likelyUrls: 1000 },
    '11 rules are sure by the log alone (--accept confident: 48 with their special cases): 40 % of the duplicates that it suggests; about 9 minutes of asking the site (mine --fetch) would prove some 20 more\n',
  ],
  [
    { sure: 1, sureCases: 0, promising: 0, sureUrls: 7, likelyUrls: 7 },
    '1 rule is sure by the log alone (--accept confident): all of the duplicates that it suggests\n',
  ],
  [
    { sure: 0, sureCases: 0, promising: 3, sureUrls: 0, likelyUrls: 12 },
    'No rule is sure by the log alone; about 9 minutes of asking the site (mine --fetch) would prove some 3\n',
  ],
  [{ sure: 0, sureCases: 0, promising: 0, sureUrls: 0, likelyUrls: 0 }, ''],
])('of %j it is said what the log alone may do, and what pages would add', (prospects, line) => {
  expect(prospectsLine(prospects, '9 minutes', 'mine --fetch')).toBe(line);
});

test.each([
  [0, true],
  [3, false],
])('a list without sizes whose rules are sure by other evidence is not said to lack it: %d sure', (sure, isSaid) => {
  const summary = { urls: 100, sites: { mined: 1, skipped: 0 }, likely: 9, hasSizes: false, sure };
  expect(adviceReport(summary, { minSiteUrls: 50 }).includes('no record has a size')).toBe(isSaid);
});

test('no smaller number of URLs is advised where hosts have learned from each other', () => {
  const summary = { urls: 480, sites: { mined: 0, skipped: 40 }, likely: 0, hasSizes: true, sure: 0 };
  expect(adviceReport(summary, { minSiteUrls: 20 })).toContain('no site has the 20 URLs');
  expect(adviceReport(summary, { minSiteUrls: 20, classRules: 2 })).toBe('');
  expect(classesLine([])).toBe('');
  expect(classesLine([{ confidence: 0.999 }, { confidence: 0.7 }])).toBe(
    'Hosts learned from each other: 2 rules of classes of hosts, 1 of them sure\n',
  );
});

test('hosts of few domains are not heard, which is said if they are most', () => {
  expect(crowdLine({ unheard: 0, of: 0 })).toBe('');
  expect(crowdLine({ unheard: 100, of: 200 })).toBe('');
  expect(crowdLine({ unheard: 101, of: 200 })).toContain('101 of the 200 hosts that others could learn from');
});
