// Report models of any size, the same for the same seed: those of a shop with sessions, mirrors and trackers, with
// hostile text in every place.
import type {
  DuplicateGroup,
  Fix,
  LogFacts,
  ParameterClass,
  ParameterRow,
  PrecisionPoint,
  ReportModel,
  RuleRow,
  SiteRow,
} from '../../../src/report/page/model.js';
import type { InputSummary, Rule, RuleStatus, Verdict } from '../../../src/rule/rule.js';
import { standingOf } from '../../../src/rule/standing.js';
import { seededRandom } from '../../planted.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';

export interface PlantOptions {
  readonly seed?: number;
  readonly rules?: number;
  readonly sites?: number;
  readonly groups?: number;
  readonly parameters?: number;
  readonly inputs?: number;
  readonly withLog?: boolean;
  readonly isValidated?: boolean;
  /** One in so many texts is hostile; 0 for none. */
  readonly hostileEvery?: number;
}

/** Each would have an effect on a page that takes it for markup, script, or safe text. */
export const HOSTILE: readonly string[] = [
  '<script>alert("x")</script>',
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '--><img src=x onerror=alert(2)>',
  `"' onmouseover="alert(3)" x='`,
  '</title></style></td></table><svg onload=alert(4)>',
  '{{7*7}}${7*7}`${alert(5)}`',
  'line\u2028separator\u2029end',
  '\u202egnp.exe\u202c',
  'esc\u001b[31m\u0000\u0007\r\n',
  'bytes\udcff\udc80',
  '&lt;b&gt;&amp;#x3c;',
  '\ufeff\u200b\u00ad',
  'a'.repeat(2048),
  '\ud83d\ude00'.repeat(700),
  '__proto__',
  'javascript:alert(6)',
];

const DIRECTORIES = ['shop', 'manual', 'news', 'docs', 'story', 'forum', 'images', 'category', 'archive', 'user'];
const NAMES = ['sid', 'sessionid', 'utm_source', 'sort', 'order', 'page', 'color', 'size', 'ref', 'lang', 'q', 'id'];

export function plantedModel(options: PlantOptions = {}): ReportModel {
  const plant = new Plant(options);
  return plant.model();
}

class Plant {
  readonly #options: Required<PlantOptions>;
  readonly #random: () => number;
  #hostiles = 0;

  constructor(options: PlantOptions) {
    this.#options = {
      seed: 1,
      rules: 40,
      sites: 3,
      groups: 30,
      parameters: 20,
      inputs: 3,
      withLog: true,
      isValidated: true,
      hostileEvery: 0,
      ...options,
    };
    this.#random = seededRandom(this.#options.seed);
  }

  model(): ReportModel {
    const { rules: many, inputs, withLog, sites } = this.#options;
    const rules = this.#each(many, (at) => this.#ruleRow(at + 1));
    return {
      format: 'dustbuster-report',
      version: 2,
      generator: 'dustbuster 0.2.0',
      rulesFile: {
        name: this.#text('dustbuster-rules.json'),
        generator: 'dustbuster 0.1.0',
        urls: 120_000,
        sites: { mined: sites, skipped: 2 },
        accept: 'valid',
      },
      inputs: this.#each(inputs, (at) => this.#input(at)),
      rules,
      ...(withLog ? { log: this.#log(rules) } : {}),
      precision: this.#precision(rules),
    };
  }

  #each<T>(count: number, make: (at: number) => T): T[] {
    return Array.from({ length: count }, (_, at) => make(at));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)]!;
  }

  /** The text, or the next hostile one. */
  #text(text: string): string {
    const { hostileEvery } = this.#options;
    return hostileEvery > 0 && this.#below(hostileEvery) === 0 ? HOSTILE[this.#hostiles++ % HOSTILE.length]! : text;
  }

  #site(at = this.#below(this.#options.sites)): string {
    return this.#text(at === 0 ? 'shop.example.test' : `site-${at}.example.test`);
  }

  #url(): string {
    const path = this.#each(2 + this.#below(3), () => this.#oneOf(DIRECTORIES)).join('/');
    const query = this.#each(this.#below(3), () => `${this.#oneOf(NAMES)}=${this.#below(1e6).toString(36)}`);
    return this.#text(
      `http://www.example.test/${path}/${this.#below(1e6)}.html${query.length > 0 ? `?${query.join('&')}` : ''}`,
    );
  }

  #pairs(most: number): [string, string][] {
    return this.#each(this.#below(most + 1), () => {
      const url = this.#url();
      return [url, url.replace('www.', '').replace('.html', '')];
    });
  }

  #verdict(status: RuleStatus): Verdict {
    const negative = status === 'valid' ? this.#below(2) : 3 + this.#below(5);
    return {
      source: 'live',
      positive: status === 'invalid' ? this.#below(4) : 25 + this.#below(15),
      negative,
      unjudged: this.#below(3) === 0 ? { 'u: status': 1 + this.#below(5), 'v: robots': 1 } : {},
      ...(status === 'likely' ? { undecided: 'few-samples' } : {}),
      positives: this.#pairs(3),
      negatives: this.#pairs(Math.min(negative, 3)).map(([url, image]) => [url, image, this.#text('other text')]),
    };
  }

  #ruleRow(rank: number): RuleRow {
    const { isValidated, withLog } = this.#options;
    const status: RuleStatus = isValidated ? this.#oneOf(['valid', 'valid', 'likely', 'invalid']) : 'likely';
    const low = 3 + Math.floor((2000 * this.#random()) / rank);
    const against = this.#below(4);
    const more = {
      rank,
      site: this.#site(),
      status,
      against,
      confidence: low / (low + against + 3.84),
      examples: this.#pairs(3),
      ...(isValidated ? { verdict: this.#verdict(status) } : {}),
      ...(this.#below(12) === 0 ? { pin: true } : {}),
      ...(this.#below(15) === 0 ? { veto: 'local' as const } : {}),
      ...(this.#below(9) === 0 ? { note: this.#text('seen by the shop team') } : {}),
    };
    const rule: Rule =
      this.#below(4) === 0
        ? sampleParameter(this.#text(`${this.#oneOf(NAMES)}${rank}`), {
            ...more,
            support: { groups: low, urls: 3 * low },
          })
        : sampleRule(
            this.#text(`/${this.#oneOf(DIRECTORIES)}/${rank}/`),
            this.#text(`/${this.#oneOf(DIRECTORIES)}_${rank}/`),
            {
              ...more,
              anchor: this.#oneOf(['none', 'none', 'start', 'end', 'both']),
              support: { low, high: low + this.#below(20) },
            },
          );
    const standing = standingOf(rule);
    const isApplied = standing === 'valid' || standing.startsWith('pinned');
    return { rule, standing, isApplied, ...(withLog ? { touched: 4 * low, saved: 2 * low } : {}) };
  }

  #input(at: number): InputSummary {
    const [records, method, redirect, client] = [
      5e5 + this.#below(1e6),
      this.#below(2e4),
      this.#below(9e4),
      this.#below(1e5),
    ];
    const dropped = { method, redirect, 'client-error': client };
    const rejected = { 'no-url': this.#below(900), [this.#text('empty')]: this.#below(30) };
    const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, n) => total + n, 0);
    return {
      name: this.#text(`access.log.${at}.gz`),
      format: 'combined',
      lines: records + sum(dropped) + sum(rejected),
      records,
      dropped,
      rejected,
      truncated: at === 1,
      ...(at === 1 ? { reason: 'the gzip stream breaks off' } : {}),
    };
  }

  #siteRow(site: string, size: number): SiteRow {
    const urlsBefore = Math.ceil(size * (0.5 + this.#random()));
    const [hits, botHits] = [urlsBefore * 9, urlsBefore * 4];
    return {
      site,
      urlsBefore,
      urlsAfter: Math.ceil(urlsBefore * (0.5 + this.#random() / 2)),
      hits,
      duplicateHits: Math.floor(hits * 0.4 * this.#random()),
      bytes: hits * 23_456,
      duplicateBytes: Math.floor(hits * 23_456 * 0.3 * this.#random()),
      botHits,
      duplicateBotHits: Math.floor(botHits * 0.6 * this.#random()),
    };
  }

  #log(rules: readonly RuleRow[]): LogFacts {
    const sites = this.#each(this.#options.sites, (at) => this.#siteRow(this.#site(at), 90_000 / (at + 1)));
    const [first, ...others] = sites;
    const all = others.reduce(
      (sum, row) =>
        Object.fromEntries(
          Object.entries(sum).map(([key, value]) => [
            key,
            typeof value === 'number' ? value + Number(row[key as keyof SiteRow]) : value,
          ]),
        ) as unknown as SiteRow,
      { ...first!, site: '*' },
    );
    const applied = rules.filter(({ isApplied }) => isApplied).length;
    const curve = ladder(applied).map((k) => {
      const share = (1 - Math.exp((-3 * k) / applied)) / (1 - Math.exp(-3));
      return { k, urlsAfter: all.urlsBefore - Math.floor((all.urlsBefore - all.urlsAfter) * share) };
    });
    return {
      all,
      sites: sites.toSorted((a, b) => b.duplicateHits - a.duplicateHits),
      reduction: [{ k: 0, urlsAfter: all.urlsBefore }, ...curve],
      fixes: this.#each(Math.min(applied, 5), (at) => this.#fix(at)),
      fixed: { ...this.#fix(0), hits: 70_000 },
      bots: this.#each(6, (at) => ({ name: `bot ${at}`, hits: 9000 - at, duplicateHits: 4000 >> at })),
      periods: this.#each(30, (at) => ({
        from: `2026-11-${String(at + 1).padStart(2, '0')}`,
        hits: 900 + this.#below(900),
        duplicateHits: 200 + this.#below(300),
        duplicateBotHits: this.#below(200),
      })),
      crawlSpace: [
        {
          kind: 'facets',
          parameters: this.#each(3, (at) => ({
            site: this.#site(),
            name: this.#text(`filter_${at}`),
            urls: 900 >> at,
            hits: 1200 >> at,
            values: ['red'],
            isByValue: false,
            different: 0,
            changed: 'nowhere',
          })),
        },
        { kind: 'endless', parameters: [], endless: { urls: 7, hits: 8, examples: [this.#url()] } },
      ],
      groups: this.#each(this.#options.groups, (at) => this.#group(at)),
      parameters: this.#each(this.#options.parameters, (at) => this.#parameter(at, rules)),
      hasSizes: true,
      hasAgents: true,
    };
  }

  #fix(at: number): Fix {
    return {
      title: this.#text('Drop the parameter sid'),
      parts: this.#each(2 * at, (part) => this.#text(`Drop part ${part}`)),
      site: this.#site(),
      rules: [at + 1],
      isProven: at % 2 === 0,
      isOfDocuments: at < 3,
      confidence: 0.97,
      already: 0,
      urls: 500,
      hits: 40_000 >> at,
      bytes: 1e8 >> at,
      botHits: 20_000 >> at,
      redirected: { urls: 600, hits: 50_000 >> at, botHits: 25_000 >> at },
      examples: [[this.#url(), this.#url()]],
      lines: [{ target: 'nginx', text: this.#text('map "$request_uri" $canonical {\n}\n') }],
    };
  }

  #group(at: number): DuplicateGroup {
    const urls = 2 + this.#below(20);
    const hits = Math.ceil(100_000 / (at + 1));
    const members = this.#each(Math.min(urls, 5), (k) => ({ url: this.#url(), hits: Math.ceil(hits / (k + 2)) }));
    const duplicateHits = Math.ceil(hits / 2);
    return {
      site: this.#site(),
      canonical: this.#url(),
      urls,
      hits,
      duplicateHits,
      duplicateBytes: duplicateHits * 12_345,
      duplicateBotHits: this.#below(duplicateHits),
      members,
    };
  }

  #parameter(at: number, rules: readonly RuleRow[]): ParameterRow {
    const type: ParameterClass = this.#oneOf(['changes', 'sorts', 'narrows', 'irrelevant', 'unknown']);
    const rule = rules.find((row) => row.rule.kind === 'parameter' && row.isApplied)?.rule.rank;
    return {
      site: this.#site(),
      name: this.#text(`${this.#oneOf(NAMES)}${at}`),
      urls: Math.ceil(20_000 / (at + 1)),
      hits: Math.ceil(90_000 / (at + 1)),
      values: 1 + this.#below(10_000),
      areMore: at % 5 === 0,
      commonest: this.#each(3, () => this.#text(this.#below(1e6).toString(36))),
      groups: { same: this.#below(500), different: this.#below(50), silent: this.#below(20) },
      sizeRatio: type === 'unknown' ? null : 1 + this.#random(),
      class: type,
      reason: this.#text('sizes agree in most groups'),
      ...(type === 'irrelevant' && rule !== undefined ? { rule } : {}),
    };
  }

  #precision(rules: readonly RuleRow[]): PrecisionPoint[] {
    if (!this.#options.isValidated) return [];
    return ladder(rules.length).map((k) => {
      const first = rules.slice(0, k).map(({ rule }) => rule.status);
      const right = first.filter((status) => status === 'valid').length;
      const wrong = first.filter((status) => status === 'invalid').length;
      return { k, right, wrong, unjudged: k - right - wrong };
    });
  }
}

/** 1, 2, 5, 10, 20, 50, … and the last. */
function ladder(last: number): number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].filter((k) => k < last);
  return last === 0 ? [] : [...steps, last];
}
