// Which parameters do the site's own pages copy into their links? With a sentence that its developers can work with.
import type { EchoRow } from '../model.js';
import { FORMATS, type Html, markup, shown } from './html.js';

const { count } = FORMATS;

const MOST_SHAPES = 5;

export function echoesHtml(echoes: readonly EchoRow[]): Html {
  const shapes = shapesOf(echoes).map(
    (template, at) => markup`${at === 0 ? '' : ', '}<code>${shown(template, 100)}</code>`,
  );
  return markup`<section id="echoes" aria-labelledby="echoes-head"><h2 id="echoes-head">Parameters that pages copy into their links</h2>
<p>These parameters change nothing, but links of the site’s own pages carry them on, so that each page with one makes further URLs with it. Seen in the referrers of visitors; most robots send none.</p>
<ul>${echoes.map(echoHtml)}</ul>
<p>For the theme or plug-in: “Links on pages such as ${shapes} copy the parameters of the page’s own address, also those that it does not know (${shown(echoes[0]!.name, 100)}). Build these links from the parameters that the page knows, not from the query of the request.”</p>
</section>`;
}

/** Shapes of pages of all parameters; those that stand for many kinds only if there are no others. */
function shapesOf(echoes: readonly EchoRow[]): string[] {
  const all = [...new Set(echoes.flatMap(({ templates }) => templates))];
  const exact = all.filter((template) => !template.endsWith('/**'));
  return (exact.length > 0 ? exact : all).slice(0, MOST_SHAPES);
}

function echoHtml({ name, followed, carried, growth, example: [page, target] }: EchoRow): Html {
  return markup`<li><code>${shown(name, 100)}</code>: ${count(carried)} of ${count(followed)} links that were followed from pages with it; each such page made ${growth.toFixed(2)} other URLs with it, such as <code>${shown(page, 160)}</code> → <code>${shown(target, 160)}</code></li>
`;
}
