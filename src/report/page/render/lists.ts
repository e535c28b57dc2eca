// Which choices do URLs combine, how large is their space, and what helps?
import type { ListMeasures } from '../../../mine/lists/facts.js';
import type { FieldChoices } from '../../../mine/lists/fields.js';
import type { ItemsPlace } from '../../../rule/items-place.js';
import type { ChoiceLists, LogFacts } from '../model.js';
import { FORMATS, type Html, markup, NOTHING, shown } from './html.js';
import { siteName } from './sites.js';

const { count, many, share } = FORMATS;

const MOST_ITEMS = 6;

export function listsHtml({ sites }: LogFacts, lists: ChoiceLists): Html {
  return markup`<section id="lists" aria-labelledby="lists-head"><h2 id="lists-head">Choices that URLs combine</h2>
${foundHtml(lists, sites.length > 1)}
</section>`;
}

function foundHtml({ inside, across, share: sampled }: ChoiceLists, withSite: boolean): Html {
  const part =
    sampled === undefined
      ? NOTHING
      : markup`<p>There are many URLs: the counts are those of ${share(sampled)} of them.</p>
`;
  return markup`<p>Each combination of filters or tags is another URL, and in another order yet another. Crawlers follow them all.</p>
${part}<ul class="fixes">${inside.map((list) => listHtml(placeHtml(list.place), list, withSite))}${across.map((list) => listHtml(acrossHtml(list), list, withSite))}</ul>`;
}

function placeHtml({ slot, name, separator, heads }: ItemsPlace): Html {
  const code = (text: string) => markup`<code>${shown(text, 100)}</code>`;
  const what = heads === undefined ? 'Items' : 'Pairs of a name and its values';
  switch (slot) {
    case 'parameter':
      return markup`${what} in the parameter ${code(name)}, separated by ${code(separator)}`;
    case 'after':
      return markup`${what} in the segment after ${code(`/${name}/`)}, separated by ${code(separator)}`;
    case 'below':
      return markup`${what} in the segments below ${code(name)}`;
    case 'repeated':
      return markup`Items in the repeated parameter ${code(name)}`;
    default:
      return slot satisfies never;
  }
}

function acrossHtml({ names }: FieldChoices): Html {
  return markup`Choices in ${many(names.length, 'parameter')}: ${names.map((name, at) => markup`${at === 0 ? '' : ', '}<code>${shown(name, 100)}</code>`)}`;
}

function listHtml(title: Html, list: ListMeasures & { readonly site: string }, withSite: boolean): Html {
  const { examples, commonest } = list;
  const some = commonest
    .slice(0, MOST_ITEMS)
    .map(([item], at) => markup`${at === 0 ? '' : ', '}<code>${shown(item, 60)}</code>`);
  return markup`<li><h3>${title}${withSite ? ` on ${siteName(list.site)}` : ''}</h3>
<ul><li>${many(list.urls, 'URL')}, ${many(list.hits, 'hit')}; ${many(list.items, 'item')}, the commonest ${some}</li>
<li>${depthText(list)}</li>
<li>${spaceText(list)}</li>
<li>${orderText(list)}</li>
${examples.slice(0, 1).map(
  (url) => markup`<li>such as <code>${shown(url, 160)}</code></li>
`,
)}</ul>
<p>${adviceText(list)}</p>
</li>
`;
}

function depthText({ depths }: ListMeasures): string {
  const parts = depths.flatMap(({ urls, hits }, at) =>
    urls === 0
      ? []
      : [
          `${at + 1}${at === depths.length - 1 && at === 7 ? ' or more' : ''}: ${many(urls, 'URL')}, ${many(hits, 'hit')}`,
        ],
  );
  return `by the number of items: ${parts.join('; ')}`;
}

function spaceText({ space: { seen, atLeast, atMost, onceShare } }: ListMeasures): string {
  const least = atLeast > seen ? `, there are at least ${count(atLeast)}` : '';
  return `${many(seen, 'combination')} of two or more were requested${least}, and by counting there can be ${large(atMost)}; ${share(onceShare)} of the hits on them went to URLs that were requested once`;
}

/** Numbers that nobody reads as digits, in words. */
function large(number: number): string {
  if (!Number.isFinite(number)) return 'more than anybody can count';
  return number < 1e9 ? count(number) : `10^${Math.floor(Math.log10(number))} and more`;
}

function orderText({ duplicates, order }: ListMeasures): string {
  const { urls, hits, repeatedUrls } = duplicates;
  const repeated = repeatedUrls === 0 ? '' : `, and ${many(repeatedUrls, 'URL')} for an item that is there twice`;
  const none = 'no URL is another one but for the order of items';
  const some = `${many(urls, 'URL')} (${many(hits, 'hit')}) ${urls === 1 ? 'is' : 'are'} another one but for the order of items`;
  const pairs = `${count(order.equal)} of ${many(order.pairs, 'pair')}`;
  const chance = `${count(order.equalByChance)} of ${count(order.neighbours)} with other items`;
  const found = {
    likely: `; the order does not seem to matter: pages are equal in ${pairs}, and in ${chance}`,
    matters: `; the order matters: pages are equal in ${pairs} only`,
    unknown: urls === 0 ? '' : '; the log does not show whether the order matters',
  }[order.verdict];
  return `${urls === 0 ? none : some}${repeated}${found}`;
}

function adviceText({ order, duplicates }: ListMeasures): string {
  const sort =
    order.verdict === 'matters'
      ? ''
      : `Write the items in one order in every link, each of them once${duplicates.urls > 0 ? ', and name that order in the canonical link' : ''}. `;
  return `${sort}Do not link to two items and more, or mark such links rel="nofollow"; what people search for is a page with one item. Lines for robots.txt do the same for crawlers that obey them: those that hide nothing are above.`;
}
