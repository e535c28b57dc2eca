// Rules for ClearURLs: a provider for each place, whose rules are names of parameters, as expressions that have to
// match a whole name, in any case.
//
//     {"providers": {"example.com": {"urlPattern": "^https?://(?:[a-z0-9-]+\\.)*example\\.com…", "rules": ["sid"], …}}}
//
// (ClearURLs, data.min.json, the format of its rules in version 1.27.)
import type { ExportRequest, Exported, Target } from '../target.js';
import { removalsOf, type Removal } from './removal.js';

const usage = `A JSON file of providers for ClearURLs: name it as URL of the rules in its settings, where it replaces
the list that is there, or merge the providers into your own. ClearURLs takes names in any case, and fields between &.`;

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
      names.set(pattern, [...(names.get(pattern) ?? []), removal.name.replaceAll('.', '\\.')]);
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
