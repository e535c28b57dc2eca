// Which parameters the miner finds on sites with known ones, and at what rank.
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { DIFFERENCES } from '../../src/mine/difference.js';
import { likelinessOf } from '../../src/mine/likeliness.js';
import { NO_EVIDENCE } from '../../src/mine/evidence.js';
import { Miner, type MinerOptions, type UnrankedRule } from '../../src/mine/mine.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import { plantedParameters, type ParameterSite, type PlantedParameter } from '../planted-parameters.js';
import { batchOf, type TestRecord } from '../url-list.js';
import type { TwinUrl } from '../twin.js';

const defaults: MinerOptions = {
  S: 35,
  T_low: 6,
  T_high: 11,
  MRD: 0.05,
  MAD: 1,
  MW: 1100,
  MS: 3,
  rank: 'likeliness',
  similarity: true,
  site: 'all',
  minSiteUrls: 0,
  scheme: 'http',
  base: null,
  maxUrlLength: 2048,
};

function mine(urls: readonly TwinUrl[], more: Partial<MinerOptions> = {}) {
  const miner = new Miner({ ...defaults, ...more }, () => 'site', {
    memoryBytes: 1 << 26,
    tmpdir: tmpdir(),
  });
  const records = urls.flatMap(({ url, min, max }): TestRecord[] =>
    min === undefined ? [{ url }] : [{ url, size: min }, ...(max === undefined ? [] : [{ url, size: max }])],
  );
  miner.add(batchOf(records));
  const rules = [...miner.eachRule()];
  return { rules, parameters: rules.filter((rule) => rule.kind === 'parameter'), summary: miner.summary };
}

const place = ({ name, scope, path }: Pick<PlantedParameter, 'name' | 'scope' | 'path'>) => `${name} ${scope} ${path}`;

/** Whether most URLs that the rule joins name one document. */
function isTrue(rule: UnrankedRule, { documents }: ParameterSite): boolean {
  const compiled = compileRule({ rank: 1, ...rule });
  // URLs that become one must be of one document, in the list or not.
  const merged = new Map<string, Set<number>>();
  for (const [url, document] of documents) {
    const image = Buffer.from(imageOf(compiled, Buffer.from(url, 'latin1'), 0)).toString('latin1');
    merged.set(image, (merged.get(image) ?? new Set()).add(document));
  }
  return [...merged.values()].every((set) => set.size === 1);
}

describe.each([
  ['without hosts', { hosts: false }],
  ['with hosts', { hosts: true }],
  ['whose pages changed now and then', { hosts: true, edits: 2, pages: 120 }],
] as const)('a site %s', (_, options) => {
  const sites = [1, 2, 3].map((seed) => plantedParameters(seed, options));

  test('finds the neutral parameters, each in its scope, and no others', () => {
    for (const site of sites) {
      const expected = site.truth.filter(({ looksNeutral }) => looksNeutral);
      const { parameters } = mine(site.urls);
      expect(parameters.map(place).toSorted()).toEqual(expected.map(place).toSorted());
      expect(parameters.every(({ action }) => action === 'remove')).toBe(true);
    }
  });

  test('merges no documents except by sort order, which only content shows', () => {
    for (const site of sites) {
      const wrong = mine(site.urls).parameters.filter((rule) => !isTrue(rule, site));
      expect(wrong.map(({ name }) => name)).toEqual(['sort']);
    }
  });

  test('ranks them first among all rules, without substring rules that do the same', () => {
    for (const site of sites) {
      const { rules, parameters, summary } = mine(site.urls);
      const last = rules.findLastIndex(({ kind }) => kind === 'parameter');
      // Substring rules with many instances come between them, as a group is one witness.
      expect(last).toBeLessThan('edits' in options ? rules.length / 2 : 2 * parameters.length + 4);
      const sides = rules.flatMap((rule) => (rule.kind === 'substring' ? [`${rule.from} ${rule.to}`] : []));
      expect(sides.filter((side) => /^[&?;](utm_source|utm_medium|sid)=\w+ $/.test(side))).toEqual([]);
      expect([summary.parameters, summary.likely]).toEqual([parameters.length, rules.length]);
    }
  });
});

const sized = (size: number) => ({ min: size, max: size });

test('500 sessions of one page are one witness', () => {
  const { urls } = plantedParameters(1, { pages: 0 });
  expect(urls.length).toBeGreaterThan(490);
  expect(mine(urls).parameters).toEqual([]);
  expect(mine(urls, { MS: 1 }).parameters).toEqual([]);
});

test('pages of one size say no more about a parameter than others of their template do', () => {
  const urls = (pages: number) =>
    Array.from({ length: pages }, (_, page) =>
      [1, 2].map((step) => ({ url: `/form?user=${page}&step=${step}`, min: 4321, max: 4321 })),
    ).flat();
  expect(mine(urls(40)).parameters).toEqual([]);
});

describe('a parameter that other links carry in vain', () => {
  const posts = Array.from({ length: 80 }, (_, k) =>
    ['', `?box=${1 + (k % 2)}`].map((query) => ({ url: `/notes/post-${k}${query}`, ...sized(20_000 + 700 * k) })),
  ).flat();
  const turned = (pages: number, path = '/notes/') =>
    Array.from({ length: pages }, (_, k) => ({
      url: k === 0 ? path : `${path}?box=${k + 1}`,
      ...sized(30_000 + ((997 * k) % 9000)),
    }));
  const rulesOf = (urls: readonly TwinUrl[]) =>
    mine(urls).parameters.map(({ name, scope, confidence }) => ({ name, scope, isSure: confidence >= 0.95 }));

  test('is sure if no page is another by it', () => {
    expect(rulesOf([...posts, ...turned(1)])).toEqual([{ name: 'box', scope: 'site', isSure: true }]);
  });

  test('is not if it turns the pages of one list, of which there are many', () => {
    expect(rulesOf([...posts, ...turned(42)]).filter(({ isSure }) => isSure)).toEqual([]);
  });
});

describe('what numbers do says nothing of names', () => {
  // In vain after other pages; on the timeline it names a revision, and each was visited with one other parameter only.
  const urls = (value: (k: number) => string) => [
    ...Array.from({ length: 80 }, (_, k) =>
      ['', `?x=${1 + (k % 2)}`].map((query) => ({ url: `/notes/${k}${query}`, ...sized(20_000 + 700 * k) })),
    ).flat(),
    ...Array.from({ length: 40 }, (_, k) => ({
      url: `/timeline?n=${k}&x=${value(k)}`,
      ...sized(30_000 + ((997 * k) % 9000)),
    })),
  ];
  const confidence = (value: (k: number) => string) => mine(urls(value)).parameters.map((rule) => rule.confidence);

  test('so a rule for both is not sure', () => {
    const unsure = [DIFFERENCES.parameter.prior];
    expect(confidence((k) => `c${(k * 7919).toString(16)}`)).toEqual(unsure);
    expect(confidence((k) => String.fromCharCode(97 + (k % 26), 98 + (k % 3)))).toEqual(unsure);
  });

  test('but it is if they are of one kind', () => {
    expect(confidence((k) => `${1000 + k}`)[0]).toBeGreaterThan(0.95);
  });
});

describe('a required parameter is set to the value that most groups have', () => {
  const urls = Array.from({ length: 20 }, (_, page) => [
    { url: `/gallery/${page}`, min: 100 + page, max: 100 + page },
    ...['small', 'large', 'l'].slice(page % 3).map((view) => ({
      url: `/gallery/${page}?view=${view}`,
      min: 90_000 + 100 * page,
      max: 90_000 + 100 * page,
    })),
  ]).flat();

  test('if URLs without it are another page', () => {
    const { parameters } = mine(urls);
    expect(parameters).toMatchObject([{ name: 'view', action: 'set', value: 'l', scope: 'site', against: 0 }]);
    for (const [from, to] of parameters[0]!.examples) {
      expect([from, to]).toEqual([expect.stringMatching(/view=(small|large)$/), expect.stringMatching(/view=l$/)]);
      expect(urls.some(({ url }) => url === to)).toBe(true);
    }
  });

  test('not if they are the same, or unknown', () => {
    const same = urls.map((entry) => ({ ...entry, min: entry.min % 100, max: entry.max % 100 }));
    const unknown = urls.map(({ url, min, max }) => (url.includes('?') ? { url, min, max } : { url }));
    const pages = unknown.map((entry) => entry.url.replace('/', '/x/'));
    expect(pages.length).toBe(urls.length);
    expect(mine(unknown).parameters).toMatchObject([{ name: 'view', action: 'remove', value: 'l' }]);
    expect(mine(same.slice(0, 0)).parameters).toEqual([]);
  });
});

describe('of a list without sizes', () => {
  const { urls } = plantedParameters(2, { pages: 30 });
  const bare = urls.map(({ url }) => ({ url }));

  test('there are no rules, unless pages will be fetched for them', () => {
    expect(mine(bare).parameters).toEqual([]);
    const { parameters } = mine(bare, { untested: true });
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sid', 'utm_source', 'page', 'sort', 'ref']),
    );
    for (const { scope, support, against, confidence, likeliness = confidence } of parameters) {
      expect([scope, support.groups, against, likeliness]).toEqual(['site', 0, 0, likelinessOf(NO_EVIDENCE, 'remove')]);
      expect(confidence).toBeLessThanOrEqual(likeliness);
      expect(support.urls).toBeGreaterThan(9);
    }
  });

  test('without the similarity test every parameter is neutral', () => {
    const { parameters } = mine(bare, { similarity: false });
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['sid', 'page', 'lang', 'ref', 'step']));
    expect(parameters.every(({ against, chance }) => against === 0 && chance === 0)).toBe(true);
    expect(parameters.every(({ confidence }) => confidence === likelinessOf(NO_EVIDENCE, 'remove'))).toBe(true);
  });
});

describe('limits', () => {
  const urls = (names: number) =>
    Array.from({ length: 30 }, (_, page) => {
      const fields = Array.from({ length: names }, (_, k) => `p${k}=${page % 3}`).join('&');
      return ['', `&last=${page}`].map((last) => ({
        url: `/${page}?${fields}${last}`,
        min: 1000 + page,
        max: 1000 + page,
      }));
    }).flat();

  test('the first 32 names of a URL are considered', () => {
    expect(mine(urls(31)).parameters.map(({ name }) => name)).toEqual(['last']);
    expect(mine(urls(32)).parameters).toEqual([]);
  });

  test('a parameter has to occur in --param-min-urls URLs', () => {
    expect(mine(urls(1), { paramMinUrls: 30 }).parameters.map(({ name }) => name)).toEqual(['last']);
    expect(mine(urls(1), { paramMinUrls: 31 }).parameters).toEqual([]);
    expect(mine(urls(1), { parameters: false }).parameters).toEqual([]);
  });

  test('at most 64 scopes of a parameter are considered, those with the most groups', () => {
    const many = Array.from({ length: 150 }, (_, folder) =>
      Array.from({ length: 4 + (folder % 10) }, (_, page) =>
        [1, 2].map((p) => {
          // In every second folder it matters.
          const size = 1000 * (100 * folder + page) * (folder % 2 === 0 ? 1 : 1 + p / 4);
          return { url: `/f${folder}/${page}?p=${p}`, min: size, max: size };
        }),
      ).flat(),
    ).flat();
    const { parameters } = mine(many);
    expect(parameters.length).toBe(64);
    expect(parameters.every(({ scope, path }) => scope === 'prefix' && /^\/f\d*[02468]\/$/.test(path))).toBe(true);
  });
});

test('--rank support orders both kinds by their support', () => {
  const { rules } = mine(plantedParameters(1).urls, { rank: 'support' });
  const support = rules.map(({ support }) =>
    'groups' in support ? support.groups : 'low' in support ? support.low : support.urls,
  );
  expect(support).toEqual(support.toSorted((a, b) => b - a));
  expect(new Set(rules.map(({ kind }) => kind)).size).toBe(2);
});
