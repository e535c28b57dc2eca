// The page as text: complete, small, deterministic, and without anything that a log could have injected.
import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, test } from 'vitest';
import { printable } from '../../../../src/base/bytes.js';
import type { ReportModel } from '../../../../src/report/page/model.js';
import { spent } from '../../../../src/report/page/render/cost.js';
import { renderPage } from '../../../../src/report/page/render/render.js';
import { unpack } from '../../../../src/report/page/script/script.js';
import type { TableData } from '../../../../src/report/page/table.js';
import type { Proposal } from '../../../../src/robots/proposal.js';
import type { Audit } from '../../../../src/rule/rule.js';
import { isFew } from '../../../amount.js';
import { sampleAudit, sampleRule, sampleStep } from '../../../rule/sample.js';
import { HOSTILE, plantedModel } from '../planted-model.js';

interface Seen {
  /** How often each element occurs on the page. */
  readonly elements: Readonly<Record<string, number>>;
  /** Names of all attributes. */
  readonly attributes: ReadonlySet<string>;
  readonly text: string;
  readonly policy: string;
  readonly style: string;
  readonly script: string;
  readonly tables: readonly TableData[];
}

async function see(page: string): Promise<Seen> {
  const elements: Record<string, number> = {};
  const attributes = new Set<string>();
  const content = { text: '', style: '', script: '', data: '' };
  let policy = '';
  let into: keyof typeof content = 'text';
  const parser = new Parser({
    onopentag(name, given) {
      elements[name] = (elements[name] ?? 0) + 1;
      for (const attribute of Object.keys(given)) attributes.add(attribute);
      if (given['http-equiv'] !== undefined) policy = given['content']!;
      if (name === 'style' || name === 'script') into = given['id'] === 'data' ? 'data' : name;
    },
    ontext: (text) => (content[into] += text),
    onclosetag: () => (into = 'text'),
  });
  parser.end(page);
  return { elements, attributes, policy, ...content, tables: await unpack(content.data) };
}

const tableOf = ({ tables }: Seen, id: string) => tables.find((table) => table.id === id)!;
const pageOf = async (model: ReportModel) => see(renderPage(model));

describe('of a hostile log', () => {
  const model = plantedModel({ seed: 4, rules: 200, hostileEvery: 2 });
  const plain = plantedModel({ seed: 4, rules: 200 });
  let page: string;
  let seen: Seen;
  let usual: Seen;
  beforeAll(async () => {
    page = renderPage(model);
    seen = await see(page);
    usual = await pageOf(plain);
  });

  test('the page has only its own elements and attributes', () => {
    const names = (elements: Seen['elements']) => Object.keys(elements).sort();
    expect(names(seen.elements)).toEqual(names(usual.elements));
    expect([...seen.attributes].sort()).toEqual([...usual.attributes].sort());
    expect([...seen.attributes].filter((name) => /^on|^style$|^src$/.test(name))).toEqual([]);
    expect([seen.elements['script'], seen.elements['style'], seen.elements['img']]).toEqual([2, 1, undefined]);
  });

  test('its text is there to read', () => {
    const all = seen.text + JSON.stringify(seen.tables);
    for (const text of HOSTILE.filter(({ length }) => length < 100)) {
      expect(all, text).toContain(JSON.stringify(printable(text)).slice(1, -1));
    }
  });

  test('nothing in it is invisible, reverses the line, or is not a character', () => {
    const text = page.replaceAll(/[\n\t]/g, '') + JSON.stringify(seen.tables);
    expect(text.match(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu)).toBeNull();
    expect(Buffer.from(page).toString()).toBe(page);
  });

  test('a URL of 2,048 bytes shows its beginning and its end, and the length between', async () => {
    const url = `http://example.test/begin/${'x'.repeat(2000)}/end`;
    const rules = [{ rule: sampleRule('a', 'b', { examples: [[url, url]] }), standing: 'valid', isApplied: true }];
    const [table] = [tableOf(await pageOf({ ...plain, rules }), 'rules')];
    const [[shown]] = table.more[0]!.find(({ head }) => head === 'Examples of the log')!.pairs as [[string]];
    expect(shown).toMatch(/^http:\/\/example\.test\/begin\/x+ …\[1650 characters\]… x+\/end$/);
  });
});

describe('of any log', () => {
  const model = plantedModel({ rules: 150 });
  let page: string;
  let seen: Seen;
  beforeAll(async () => {
    page = renderPage(model);
    seen = await see(page);
  });

  test('its policy allows its own style and script, and nothing else', () => {
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(seen.policy.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src ${hashOf(seen.style)}`,
      `script-src ${hashOf(seen.script)}`,
      'img-src data:',
      `base-uri 'none'`,
      `form-action 'none'`,
    ]);
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:,)/);
    // Browsers with a window request an icon unless there is one; the headless one of test/e2e never does.
    expect(page).toContain('<link rel="icon" href="data:,">');
  });

  test('it is the same each time', async () => {
    expect(renderPage(model)).toBe(page);
  });

  test('all rows are in it, with their evidence', () => {
    const table = tableOf(seen, 'rules');
    expect(table.rows.map(([rank]) => rank)).toEqual(model.rules.map(({ rule }) => rule.rank));
    const at = model.rules.findIndex(({ rule }) => (rule.verdict?.negatives.length ?? 0) > 0);
    const negatives = table.more[at]!.find(({ head }) => head === 'Samples that differ')!;
    expect(negatives.pairs).toEqual(model.rules[at]!.rule.verdict!.negatives);
  });

  test('without scripts the first 100 rules are shown, with a note', () => {
    expect(page.match(/<tr role="row" id="rule-\d+">/g)).toHaveLength(100);
    expect(seen.text).toContain('The first 100 of 150 rules.');
  });

  test('a rule is one sentence', async () => {
    const rules = [
      { rule: sampleRule('/index.html', '/', { anchor: 'end' }), standing: 'valid', isApplied: true },
      { rule: sampleRule('www.', '', { anchor: 'none', rank: 2 }), standing: 'likely', isApplied: false },
    ];
    const rows = tableOf(await pageOf({ ...model, rules }), 'rules').rows;
    expect(rows.map(([, rule, status]) => [rule, status])).toEqual([
      ['`/index.html` at the end is the folder itself (`/`).', 'valid ✓'],
      ['`www.` is dropped wherever it stands.', 'likely'],
    ]);
  });

  test('every chart has a title and a description, and no style of its own', () => {
    const charts = page.match(/<svg.*?<\/svg>/gs)!;
    expect(charts.length).toBe(6);
    for (const chart of charts) {
      expect(chart).toMatch(
        /role="img" aria-labelledby="(\S+)-title \1-says".*<title id="\1-title">.*<desc id="\1-says">./s,
      );
      expect(chart).not.toMatch(/<style|style="|#[0-9a-f]{3,6}"/);
    }
  });
});

test('without a log the page shows what there is, and says what a log would add', async () => {
  const seen = await pageOf(plantedModel({ withLog: false, isValidated: false, rules: 3 }));
  expect(seen.tables.map(({ id }) => id)).toEqual(['rules', 'inputs']);
  expect(seen.text).toContain('report RULES --log FILE');
  expect(seen.text).toContain('No rule was validated');
  expect(seen.elements['svg']).toBe(1);
});

test.each([
  ['no rules', { rules: 0 }],
  ['no inputs', { inputs: 0 }],
  ['nothing at all', { rules: 0, inputs: 0, groups: 0, parameters: 0, sites: 1 }],
])('a page of %s is one', async (_, options) => {
  const seen = await pageOf(plantedModel(options));
  expect(seen.elements['section']).toBe(11);
  expect(seen.text).not.toMatch(/NaN|undefined|Infinity/);
});

describe('of a validation with an audit', () => {
  const audit = sampleAudit({ failures: [['http://a.test/1?x', 'http://a.test/1', 'v: status 404']] });
  const withAudit = (of: ReportModel, one: Audit): ReportModel => {
    const { stop, N, epsilon, minSamples, seed } = {
      stop: 'sequential',
      N: 100,
      epsilon: 0.05,
      minSamples: 3,
      seed: 1,
    } as const;
    const validation = { source: 'live', stop, N, epsilon, minSamples, seed, audit: one } as const;
    return { ...of, rulesFile: { ...of.rulesFile, validation } };
  };
  const bare = plantedModel({ withLog: false, rules: 3 });

  test('the head has its numbers, and those of the list if no log was read', async () => {
    const head = renderPage(withAudit(bare, audit)).split('<main')[0]!;
    expect(head).toContain(
      '7,414 → 4,102 URLs: 44.7 % of them are duplicates (3,312), 0 forms longer, 2 URLs unsettled',
    );
    expect(head).toContain('1 of 300');
    expect(head).toContain('at most 1.6 % of all (1 dead)');
    const logged = renderPage(withAudit(plantedModel({ rules: 3 }), audit)).split('<main')[0]!;
    expect(logged).not.toContain('7,414 → 4,102');
    expect(logged).toContain('1 of 300');
  });

  test('a section shows all of it, and nothing else on the page repeats it', async () => {
    const seen = await pageOf(withAudit(bare, { ...audit, narrowed: 1, retired: 2 }));
    for (const text of [
      '300 URLs with their canonical forms',
      '1 (1 dead)',
      'at most 1.6 % fail, with 95 % confidence',
      'u: status 7, v: robots 1',
      '7,414 URLs, 4,102 forms, 44.7 % fewer',
      '1 rule narrowed, 2 rules retired',
      'http://a.test/1?x',
      'v: status 404',
    ]) {
      expect(seen.text).toContain(text);
    }
    expect(seen.text).not.toContain('"sample"');
  });

  test('without an audit there is no section', async () => {
    expect(renderPage(bare)).not.toContain('id="audit"');
  });

  test('an empty sample is not shown as one without failures', async () => {
    const none = { ...audit, sample: 0, dead: 0, bound: 1, urls: 0, forms: 0, failures: [] };
    const { text } = await pageOf(withAudit(bare, none));
    expect(text).toContain('none of its forms could be judged');
    expect(text).toContain('not known');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('hostile failures are text', async () => {
    const failures = HOSTILE.map((text) => [text, text, text] as const);
    const hostile = { ...audit, failures, unjudged: Object.fromEntries(HOSTILE.map((text) => [text, 1])) };
    const page = renderPage(withAudit(bare, hostile));
    const [seen, usual] = [await see(page), await pageOf(withAudit(bare, audit))];
    expect(Object.keys(seen.elements).sort()).toEqual(Object.keys(usual.elements).sort());
    expect([...seen.attributes].sort()).toEqual([...usual.attributes].sort());
    for (const text of HOSTILE.filter(({ length }) => length < 100)) expect(seen.text).toContain(printable(text));
    expect(page.replaceAll(/[\n\t]/g, '').match(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu)).toBeNull();
  });
});

test('what the tables omit is counted', async () => {
  const model = plantedModel();
  const otherGroups = { count: 1234, duplicateHits: 5678, duplicateBytes: 9, duplicateBotHits: 8 };
  const seen = await pageOf({ ...model, log: { ...model.log!, otherGroups, otherParameters: 77, unsettled: 3 } });
  expect(seen.text).toContain('1,234 more groups of duplicates are not listed, with 5,678 hits on duplicates.');
  expect(seen.text).toContain('3 URLs stayed as they came');
  expect(seen.text).toContain('77 more parameters');
});

test('a name with many digits is the same in a chart', async () => {
  const model = plantedModel({ sites: 2 });
  const sites = ['10.1234567.test', 'b.test'].map((site) => ({ ...model.log!.all, site, urlsAfter: 100_003 }));
  const page = renderPage({ ...model, log: { ...model.log!, sites } });
  expect(page).toMatch(/<text[^>]*>10\.1234567\.test<\/text>/);
  expect(page).not.toMatch(/<rect[^>]*\.\d{3}/);
});

test('the title has site, days and lines', async () => {
  const model = plantedModel({ sites: 1 });
  const lines = model.inputs.reduce((sum, input) => sum + input.lines, 0).toLocaleString('en-US');
  expect(renderPage(model)).toContain(
    `<title>Dust report: shop.example.test, 2026-11-01 to 2026-11-30, ${lines} lines</title>`,
  );
  const bare = { ...model.log!, periods: [], sites: [{ ...model.log!.all, site: '' }] };
  const inputs = model.inputs.map((input, at) => ({ ...input, name: `/srv/logs/web-${at}/access.log` }));
  expect(renderPage({ ...model, inputs, log: bare })).toContain(
    `<title>Dust report: access.log and 2 more files, ${lines} lines`,
  );
  const [only] = inputs;
  expect(renderPage({ ...model, inputs: [only!], log: bare })).toContain('<title>Dust report: access.log, ');
  const rulesFile = { ...model.rulesFile, name: '/var/lib/dustbuster/rules.json' };
  expect(renderPage({ ...plantedModel({ withLog: false }), rulesFile })).toContain('<title>Dust report: rules.json<');
  expect(renderPage(plantedModel({ sites: 3 }))).toContain('shop.example.test and 2 more sites, 2026');
});

describe('duplicates are', () => {
  const model = plantedModel({ rules: 4 });
  const pageWith = (status: 'valid' | 'likely', isApplied: boolean) => {
    const rules = model.rules.map(({ rule: { rank } }) => ({
      rule: sampleRule('a', 'b', { rank, status }),
      standing: status,
      isApplied,
    }));
    return pageOf({ ...model, rules });
  };

  test('called so if pages have confirmed the rules', async () => {
    const { text } = await pageWith('valid', true);
    expect(text).toContain('Duplicates took ');
    expect(text).not.toContain('likely duplicates');
  });

  test('called likely if the log alone speaks for a rule that is applied', async () => {
    const { text } = await pageWith('likely', true);
    expect(text).toContain('Likely duplicates took ');
    expect(text).toContain('Validate them before you redirect anything.');
  });

  test('not counted if nothing was asked', async () => {
    const { text } = await pageWith('likely', false);
    expect(text).toContain('It is not known yet which are duplicates: 4 likely rules, none validated.');
    expect(text).not.toMatch(/% of (them|all hits)/);
    expect(text).not.toMatch(/share of (hits|bytes)|URLs before/);
    expect(text).toContain('No rule is applied, so it is not known which URLs are duplicates.');
    expect(text).toContain('asks for 4 likely rules; none can be trusted without, and --accept likely shows');
    // What all hits cost is known all the same.
    expect(text).toMatch(/1,169,496 hits, .* sent by answers with status 200, .* bot hits\./);
    expect(text).toContain('Most bot hits are of bot 0: 9,000');
    expect(text).toMatch(/936 to 1,743 hits a day/);
  });

  test('not counted, and the rules that can be trusted are counted', async () => {
    const rules = model.rules.map(({ rule: { rank } }) => ({
      rule: sampleRule('a', 'b', { rank, status: 'likely', confidence: rank === 1 ? 0.2 : 0.99 }),
      standing: 'likely',
      isApplied: false,
    }));
    const { text } = await pageOf({ ...model, rules });
    expect(text).toContain(
      'asks for 3 likely rules and 1 candidate; --accept confident applies the 3 that can be trusted without.',
    );
  });

  test.each([
    [{ mined: 1, skipped: 0 }, 'No rule was found in the log, so nothing is known of duplicates: logs of more days'],
    [{ mined: 0, skipped: 1 }, 'No site of the log has enough URLs to learn rules from'],
  ])('not counted without any rule, and no option is advised that needs one: %j', async (sites, words) => {
    const { text } = await pageOf({ ...model, rules: [], rulesFile: { ...model.rulesFile, sites } });
    expect(text).toContain(words);
    expect(text).toContain('No rule was found, so it is not known');
    expect(text).not.toContain('--accept');
  });

  test('not counted if all rules are vetoed', async () => {
    const rules = model.rules.map(({ rule: { rank } }) => ({
      rule: sampleRule('a', 'b', { rank, veto: true }),
      standing: 'vetoed',
      isApplied: false,
    }));
    expect((await pageOf({ ...model, rules })).text).toContain('No rule is applied, as all are vetoed or refuted.');
  });
});

test('each fix has what it saves, and its lines as text', async () => {
  const model = plantedModel({ rules: 40 });
  const hostile = '</code></pre><script>alert(1)</script>';
  const fixes = model.log!.fixes.map((fix) => ({
    ...fix,
    title: hostile,
    lines: [{ target: 'nginx', text: hostile }],
  }));
  const seen = await pageOf({ ...model, log: { ...model.log!, fixes } });
  expect(fixes).toHaveLength(5);
  expect(seen.elements['pre']).toBe(5 + fixes.filter(({ isOfDocuments }) => isOfDocuments).length);
  expect(seen.elements['script']).toBe(2);
  expect(seen.text).toContain(hostile);
  expect(seen.text).toMatch(/so that 40,000 pages \(.*\) need not be made a second time/);
  expect(seen.text).toContain('<link rel="canonical" href="http://www.example.test/');
});

describe('crawl space', () => {
  const parameter = {
    site: '',
    urls: 5,
    hits: 9,
    values: ['x'],
    isByValue: false,
    different: 0,
    changed: 'nowhere',
  } as const;
  const pageWith = (...crawlSpace: NonNullable<ReportModel['log']>['crawlSpace']) => {
    const model = plantedModel({ rules: 1, sites: 1 });
    return pageOf({ ...model, log: { ...model.log!, crawlSpace } });
  };

  test('of what rules redirect says that robots.txt must not forbid it', async () => {
    const { text } = await pageWith({
      kind: 'actions',
      parameters: [
        { ...parameter, name: 'do', values: ['edit', 'login'], isByValue: true },
        { ...parameter, name: 'replytocom', changed: 'everywhere', rule: 4 },
      ],
    });
    expect(text).toContain('rule 4 redirects URLs with it, so robots.txt must not forbid it');
    expect(text).toContain('5 URLs, 9 hits with any value of do');
    expect(text).toContain('dustbuster robots --propose does that with the JSON of this report');
    expect(text).not.toContain('Disallow');
  });

  test('has the lines for robots.txt that were tried, and what they spare', async () => {
    const model = plantedModel({ rules: 1, sites: 1 });
    const crawlSpace = [{ kind: 'facets', parameters: [{ ...parameter, name: 'sort' }] }] as const;
    const line = { line: 4, text: 'Disallow: /*?sort=', pattern: '/*?sort=', allows: false, hits: 7, hitsOf: {} };
    const zero = { urls: 3, pages: 3, duplicates: 0, redirected: 0, moved: 0, people: 0, lostPages: 0, lostVisits: 0 };
    const tried = { ...line, ...zero, elsewhere: 0, examples: [] };
    const pageOfTried = (proposal: Proposal, hasReferrers = true) => {
      const robots = { hasReferrers, proposals: [{ site: '', ...proposal }] };
      return pageOf({ ...model, log: { ...model.log!, crawlSpace, robots } });
    };
    const good = await pageOfTried({ lines: [tried], refused: [], spared: 7 });
    expect(good.text).toContain('1 line would have spared 7 requests of bots on this log');
    expect(good.text).toContain('User-agent: *\nDisallow: /*?sort=');
    const bad = await pageOfTried(
      { lines: [], refused: [{ ...tried, lostPages: 2, lostVisits: 3 }], spared: 0 },
      false,
    );
    expect(bad.text).toContain('No line is proposed');
    expect(bad.text).toContain('# not proposed, as it hides 2 pages with 3 visits from search');
    expect(bad.text).toContain('The log has no referrers');
    const nothing = await pageOfTried({ lines: [], refused: [], spared: 0 });
    expect(nothing.text).not.toContain('robots.txt: keep all crawlers out');
  });

  test('without effect says where a redirect holds, and which pages need the parameter', async () => {
    const { text } = await pageWith({
      kind: 'irrelevant',
      parameters: [
        { ...parameter, name: 'a', changed: 'everywhere', rule: 4 },
        { ...parameter, name: 'b', changed: 'in places', rule: 5, different: 1 },
        { ...parameter, name: 'c', different: 7 },
        { ...parameter, name: 'd', changed: 'everywhere', rule: 6, different: 2, isProven: false },
        { ...parameter, name: 'e', changed: 'everywhere', rule: 7, different: 2, isProven: true },
      ],
    });
    expect(text).toContain('rule 4 leaves it out everywhere');
    expect(text).toContain(
      'rule 5 covers a part of its URLs, and no rule the others; 1 group of pages differs by it, so some need it',
    );
    expect(text).toContain('rule 6 leaves it out everywhere, though 2 groups of pages differ by it');
    expect(text).toContain('rule 7 leaves it out everywhere');
    expect(text).not.toContain('rule 7 leaves it out everywhere, though');
    expect(text).toContain('no applied rule leaves it out; 7 groups of pages differ by it, so some need it');
    expect(text).not.toContain('Disallow');
  });
});

test('what is not proposed is named with what it would change, and a fix of several says so', async () => {
  const model = plantedModel({ rules: 20, sites: 1 });
  const unproposed = [{ title: 'Write &a= for ;a=', site: '', rules: [1], touched: 4637, saved: 34 }];
  const fixes = model.log!.fixes.map((fix) => ({
    ...fix,
    title: 'Drop sid',
    parts: ['Drop <b>', 'Drop c'],
    dropsCampaigns: true,
    lines: [{ target: 'nginx', text: 'x', left: 2 }],
  }));
  const { text, elements } = await pageOf({ ...model, log: { ...model.log!, fixes, unproposed } });
  expect(text).toContain('Write &a= for ;a=: changes 4,637 URLs, and leaves 34 fewer (rule 1)');
  expect(text).toContain('Drop sid, and 2 more changes');
  expect(text).toContain('use rel=canonical instead');
  expect(text).toContain('(1 line, without 2 rules that it cannot express)');
  expect(elements['b']).toBeUndefined();
  const plain = (await pageOf(model)).text;
  expect(plain).not.toContain('Not proposed');
  expect(plain).not.toContain('use rel=canonical instead');
});

test('text of addresses is set as code, in tables and in titles', async () => {
  const model = plantedModel({ rules: 1 });
  const rule = sampleStep('drop-segment', 'a<b', { rank: 1 });
  const row = { rule, standing: 'valid', isApplied: true } as const;
  const { tables } = await pageOf({ ...model, rules: [row] });
  const [table] = tables.filter(({ id }) => id === 'rules');
  expect(table!.rows[0]![1]).toBe('The folder `a<b` is dropped from the path on every page.');
  expect(renderPage({ ...model, rules: [row] })).toContain('The folder <code>a&lt;b</code> is dropped');
});

test('the filters of the log are named', async () => {
  const filters = { since: '2026-11-01T00:00:00Z', hosts: ['*.test', 'b.test'], onlyDocuments: true };
  const seen = await pageOf({ ...plantedModel({ rules: 1 }), filters });
  expect(seen.text).toContain(
    'Only some lines were wanted: since 2026-11-01T00:00:00Z; hosts *.test, b.test; only documents.',
  );
});

test('the first screen is an answer, then come the fixes, and the rest has its contents behind them', () => {
  const page = renderPage(plantedModel({ rules: 40 }));
  const [head, main] = page.split('<main id="main">') as [string, string];
  expect(head.split('<div class="answer">')[1]!.match(/<p>/g)!.length).toBeGreaterThanOrEqual(3);
  expect(head).not.toContain('<nav');
  expect(main.trimStart()).toMatch(/^<section id="fixes"/);
  expect(main.indexOf('<nav')).toBeGreaterThan(main.indexOf('class="fixes"'));
  expect(main.indexOf('<nav')).toBeLessThan(main.indexOf('<section id="cost"'));
  expect(page).not.toMatch(/precision/i);
  // In print all fixes stand on the first page.
  expect(head.split('<div class="brief">')[1]!.match(/<tr>/g)).toHaveLength(6);
});

test('what only pages can prove is named without lines to copy', async () => {
  const model = plantedModel({ rules: 20, sites: 1 });
  const unproven = [{ title: '`/de/` becomes `/`', site: '', rules: [1], touched: 300, saved: 200, confidence: 0.9 }];
  const toProve = { rules: 3, urls: 94, time: '40 minutes', logs: ["it's.log"] };
  const log = { ...model.log!, fixes: [], unproven };
  const { text, elements } = await pageOf({ ...model, log, toProve });
  expect(text).toContain('To be proved: mine --fetch, about 40 minutes');
  expect(text).toContain("dustbuster mine 'it'\\''s.log' --fetch");
  expect(text).toContain('/de/ becomes /: 200 URLs fewer, confidence 0.900');
  expect(elements['pre']).toBe(1);
});

test('the time of the server is shown where the log says it, else how to log it', async () => {
  const model = plantedModel();
  const untimed = await pageOf(model);
  expect(untimed.text).toContain('The log does not say how long requests took.');
  expect(untimed.text).not.toContain('server time');
  const fixes = model.log!.fixes.map((fix) => ({ ...fix, ms: 5_400_000 }));
  const timed = await pageOf({
    ...model,
    log: {
      ...model.log!,
      fixes,
      time: { ms: 36_000_000, duplicateMs: 9_000_000 },
      bots: [{ name: 'Googlebot', hits: 20, duplicateHits: 5, time: { ms: 7_200_000, duplicateMs: 3_600_000 } }],
      periods: model.log!.periods.map((row) => ({ ...row, time: { ms: 18_000_000, duplicateMs: 4_500_000 } })),
    },
  });
  expect(timed.text).not.toContain('does not say how long');
  expect(timed.text).toMatch(/Of 10\.0 h that the server worked, 2\.5 h went to (likely )?duplicates: 25\.0 %/);
  expect(timed.text).toContain('25.0 %: 2.5 h');
  expect(timed.text).toContain('5 (25.0 %), 60.0 min of 2.0 h');
  expect(timed.text).toMatch(/5\.0 h\s*75\.0 min/);
  expect(timed.text).toContain('90.0 min of the server)');
});

test.each([
  [0, '0 ms'],
  [1999, '1999 ms'],
  [2000, '2.0 s'],
  [119_999, '120.0 s'],
  [7_199_000, '120.0 min'],
  [7_200_000, '2.0 h'],
  [864_000_000, '10.0 days'],
])('%d ms are written as %s', (ms, text) => expect(spent(ms)).toBe(text));

test('missing sizes and bots are not shown as zero', async () => {
  const model = plantedModel();
  const log = { ...model.log!, hasSizes: false, hasAgents: false };
  const seen = await pageOf({ ...model, log });
  expect(seen.text).toContain('The log has no sizes and no user agents.');
  const labels = [...tableOf(seen, 'sites').columns, ...tableOf(seen, 'groups').columns].map(({ label }) => label);
  expect(labels.filter((label) => /bytes|bot/.test(label))).toEqual([]);
});

describe('of very many rules', () => {
  const MOST = 5_000_000;

  test.skipIf(isFew)('ten thousand with all their evidence take less than 5 MB', async () => {
    const page = renderPage(plantedModel({ rules: 10_000, sites: 50 }));
    expect(page.length).toBeLessThan(MOST);
    const { tables } = await see(page);
    const rules = tables.find(({ id }) => id === 'rules')!;
    expect(rules.rows).toHaveLength(10_000);
    expect(JSON.stringify(rules.more)).not.toContain('Left out');
  });

  test.skipIf(isFew)('evidence beyond the limit is omitted from the last rule up, with a note', async () => {
    const model = plantedModel({ rules: 2500, sites: 2 });
    const noise = (seed: number) => createHash('shake256', { outputLength: 250 }).update(String(seed)).digest('base64');
    const rules = model.rules.map((row, at) => {
      const examples = [0, 2, 4, 6].map((k) => [noise(8 * at + k), noise(8 * at + k + 1)] as const);
      return { ...row, rule: { ...row.rule, examples } };
    });
    const page = renderPage({ ...model, rules });
    expect(Buffer.byteLength(page)).toBeLessThan(MOST);
    const { rows, more } = tableOf(await see(page), 'rules');
    const has = more.map((blocks) => JSON.stringify(blocks).includes('Examples of the log'));
    const kept = has.indexOf(false);
    expect(rows).toHaveLength(2500);
    expect(kept).toBeGreaterThan(1000);
    expect(has.lastIndexOf(true)).toBe(kept - 1);
    expect(JSON.stringify(more[kept])).toContain('Left out to keep this page small');
  });
});
