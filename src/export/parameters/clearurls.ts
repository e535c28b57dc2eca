// Rules for ClearURLs: a provider for each place, with the names of parameters as its rules. A rule is an expression
// that has to match a whole name, ignoring case.
//
//     {"providers": {"example.com": {"urlPattern": "^https?://(?:[a-z0-9-]+\\.)*example\\.com…", "rules": ["sid"], …}}}
//
// (ClearURLs, data.min.json, the format of its rules in version 1.27.)
import { addTo } from '../../base/group-by.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { removalsOf, type Removal } from './removal.js';

const usage = `A JSON file of providers for ClearURLs: enter its URL in the settings, where it replaces the default list, or
merge the providers into your own. ClearURLs ignores the case of names, and separates fields by & only.`;

interface Provider {
  readonly urlPattern: string;
  readonly completeProvider: false;
  readonly rules: readonly string[];
  readonly referralMarketing: readonly [];
  readonly rawRules: readonly [];
  readonly exceptions: readonly [];
  readonly redirections: readonly [];
  readonly forceRedirection: false;
}

export const clearurls: Target = {
  name: 'clearurls',
  summary: 'providers for ClearURLs (JSON)',
  usage,
  write(request: ExportRequest): Exported {
    const { removals, left } = removalsOf(request);
    const names = new Map<string, string[]>();
    for (const removal of removals) {
      const pattern = patternOf(removal);
      addTo(names, pattern, removal.name.replaceAll('.', '\\.'));
    }
    const providers = Array.from(names, ([pattern, rules], at) => [`site-${at + 1}`, providerOf(pattern, rules)]);
    const text = `${JSON.stringify({ providers: Object.fromEntries(providers) as object }, null, 2)}\n`;
    return { text, carried: removals.map(({ rule }) => rule), left };
  },
};

function patternOf({ host, isBelow, path, isWhole }: Removal): string {
  const quote = (text: string) => text.replace(/[.+]/g, '\\$&');
  const authority =
    host === '' ? '[^/?]*' : `${isBelow ? '(?:[^/?]*\\.)?' : ''}${quote(host)}${isBelow ? '(?::[0-9]*)?' : ''}`;
  const end = path === '' ? '(?:[/?]|$)' : `${quote(path)}${isWhole ? '(?:\\?|$)' : ''}`;
  return `^https?://${authority}${end}`;
}

function providerOf(urlPattern: string, names: readonly string[]): Provider {
  return {
    urlPattern,
    completeProvider: false,
    rules: [...new Set(names)],
    referralMarketing: [],
    rawRules: [],
    exceptions: [],
    redirections: [],
    forceRedirection: false,
  };
}
