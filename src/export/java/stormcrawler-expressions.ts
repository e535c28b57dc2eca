// Rules for StormCrawler: a filter in urlfilters.json, whose RegexURLNormalizer applies each entry once, in order, with
// java.util.regex (`expressions.ts`). Parameters are entries too: queryElementsToRemove of the BasicURLNormalizer
// applies to all sites, and sorts and re-encodes the queries of all URLs, so the forms would differ from those of
// canonize.
import { crawlerForms, javaReplacements } from './expressions.js';
import type { ExportRequest, Exported, Target } from '../target.js';

export const stormcrawlerExpressions: Target = {
  name: 'stormcrawler-expressions',
  summary: 'urlfilters.json for Apache StormCrawler: expressions, for few rules',
  usage: `Put the one filter of this file into urlfilters.json of an Apache StormCrawler project (3.0 or later), behind BasicURLNormalizer, as
rules expect normalized URLs. Keep the order of its entries. A URL that they cannot canonize stays as it is.`,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const filter = {
      class: 'org.apache.stormcrawler.filtering.regex.RegexURLNormalizer',
      name: 'dustbuster',
      params: { urlNormalizers: list.map(({ find, put }) => ({ pattern: find, substitution: put })) },
    };
    const text = JSON.stringify({ 'org.apache.stormcrawler.filtering.URLFilters': [filter] }, null, 2);
    return { text: `${text}\n`, carried, left };
  },
};
