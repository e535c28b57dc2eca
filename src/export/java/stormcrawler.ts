// Rules for Apache StormCrawler as a URLFilter, in Java.
import type { ExportRequest, Exported, Target } from '../target.js';
import { writeClass } from './source.js';

const usage = `A filter for Apache StormCrawler 3. Save this file as src/main/java/DustbusterURLFilter.java in the
project of a topology, and put this into its urlfilters.json, behind BasicURLNormalizer:

    { "class": "DustbusterURLFilter", "name": "dustbuster", "params": {} }

StormCrawler filters targets of redirects too. If the site redirects a canonical form to another URL, turn the rule
(dustbuster turn), or that page is never fetched.`;

const members = `
  @Override
  public String filter(URL sourceUrl, Metadata sourceMetadata, String urlToFilter) {
    return canonize(urlToFilter);
  }
`;

export const stormcrawler: Target = {
  name: 'stormcrawler',
  summary: 'a URL filter for Apache StormCrawler, in Java',
  usage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterURLFilter extends URLFilter',
      imports: ['java.net.URL', 'org.apache.stormcrawler.Metadata', 'org.apache.stormcrawler.filtering.URLFilter'],
      members,
      usage,
    }),
};
