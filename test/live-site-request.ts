// Parses a request to the planted live site, or a URL whose document is to be found.
import type { Asked } from './live-site-sections.js';

export const DOMAIN = 'planted.test';
export const PREFIX = { www: 'www.', bare: '', forum: 'forum.', soft: 'soft.' } as const;
export type HostName = keyof typeof PREFIX;

/** Host as in the URL, without port; that of www for a URL that is a path. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?:]+)/.exec(url)?.[1] ?? `www.${DOMAIN}`;
}

export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/, '').replace(/[?#].*$/s, '');
}

export function takeApart(url: string): (Asked & { readonly isTwin: boolean }) | undefined {
  const host = (Object.keys(PREFIX) as HostName[]).find((name) => PREFIX[name] + DOMAIN === hostOf(url));
  if (host === undefined) return undefined;
  const target = url.replace(/^https?:\/\/[^/?]*/, '').replace(/#.*$/s, '');
  const mark = target.indexOf('?');
  const query = mark < 0 ? undefined : target.slice(mark + 1);
  // Tracking fields are ignored by all pages: they are removed here.
  const fields = (query ?? '').split('&').filter((field) => !field.startsWith('utm_'));
  return {
    host: host === 'bare' ? 'www' : host,
    isTwin: host === 'bare',
    path: (mark < 0 ? target : target.slice(0, mark)).replace(/;[^/]*$/, ''),
    query: query === undefined ? undefined : fields.join('&'),
    get(name) {
      const field = fields.find((candidate) => candidate === name || candidate.startsWith(`${name}=`));
      return field?.slice(name.length + 1);
    },
  };
}
