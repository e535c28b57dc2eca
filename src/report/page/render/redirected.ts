// What is fixed already? Fixes that the server has made, requests that it still has to redirect, and what those see who
// follow a redirect.
import type { DoneFix, LogFacts, RedirectedFacts, RedirectedUrl } from '../model.js';
import { type Html, markup, NOTHING, shown, worded, FORMATS } from './html.js';

const { count, many, share } = FORMATS;

const MOST_LINKS = 20;
const MOST_TROUBLES = 10;

/** Empty if the server redirects nothing. */
export function redirectedHtml({ redirected, done = [], all }: LogFacts): Html {
  if (redirected === undefined) return NOTHING;
  const { hits, urls, botHits } = redirected;
  return markup`<section id="redirected" aria-labelledby="redirected-head"><h2 id="redirected-head">What is fixed</h2>
<p>The server redirects ${many(hits, 'request')} for ${many(urls, 'URL')}, ${share(hits / (hits + all.hits))} of all, ${count(botHits)} of them by bots.
No page is made for them, so they are no hits here, and their URLs no duplicates.</p>
${done.length === 0 ? NOTHING : markup`<ul class="done">${done.map(doneItem)}</ul>`}
${linksHtml(redirected)}
${troublesHtml(redirected)}</section>`;
}

function doneItem({ title, state, redirected, redirectedUrls, left, since }: DoneFix): Html {
  const day = since === undefined ? '' : ` since ${since}`;
  const says = state === 'done' ? `Done${day}` : `Done in part${day}`;
  const rest =
    left === 0 ? 'none of its URLs is answered by a page since' : `${many(left, 'request')} still answered by a page`;
  return markup`<li><strong>${says}</strong>: ${worded(shown(title))}. ${many(redirected, 'request')} for ${many(redirectedUrls, 'URL')} redirected, ${rest}.</li>
`;
}

function linksHtml({ links }: RedirectedFacts): Html {
  const linked = links.filter(({ referrers }) => referrers.length > 0).slice(0, MOST_LINKS);
  if (linked.length === 0) return NOTHING;
  return markup`<h3>Links that still lead to a redirect</h3>
<p>Each costs a request more: change them where they are, and the redirect is needed no longer.</p>
${urlsTable('Redirected URLs with the pages whose links lead there', linked, ({ referrers }) =>
  referrers.map(({ url, hits }) => markup`<code>${shown(url, 200)}</code> (${count(hits)}) `),
)}`;
}

function troublesHtml({ troubles, followed, broken, chained }: RedirectedFacts): Html {
  if (troubles.length === 0) return NOTHING;
  return markup`<h3>Redirects that lead nowhere, or on</h3>
<p>Of ${many(followed, 'redirect')} that people followed at once, ${count(broken)} led to an error and ${count(chained)} to another redirect.</p>
${urlsTable(
  'Redirected URLs with what came next',
  troubles.slice(0, MOST_TROUBLES),
  ({ next, broken: errors, chained: on }) => [
    markup`${errors > 0 ? `${many(errors, 'error')} ` : ''}${on > 0 ? `${many(on, 'redirect')} ` : ''}<code>${shown(next, 200)}</code>`,
  ],
)}`;
}

function urlsTable(
  caption: string,
  urls: readonly RedirectedUrl[],
  last: (one: RedirectedUrl) => readonly Html[],
): Html {
  const rows = urls.map(
    (
      one,
    ) => markup`<tr><td><code>${shown(one.url, 200)}</code></td><td>${count(one.hits)}</td><td>${last(one)}</td></tr>
`,
  );
  return markup`<div class="scroll"><table class="plain"><caption>${caption}</caption>
<thead><tr><th scope="col">URL</th><th scope="col">redirects</th><th scope="col">from, or next</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
