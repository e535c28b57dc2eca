// Figures 5 and 6 of the paper, as far as there is anything to draw.
import { precisionChart, reductionChart } from '../chart/curves.js';
import type { ReportModel } from '../model.js';
import { markup, type Html } from './html.js';

export function curvesHtml({ precision, log }: ReportModel): Html {
  const precisionHtml =
    precisionChart(precision) ??
    markup`<p>No rule was validated, so there is no precision to show: <code class="flag">dustbuster validate</code> asks pages.</p>`;
  const reductionHtml =
    log === undefined
      ? markup`<p>What the rules save is counted on a log: <code>dustbuster report RULES --log FILE</code>.</p>`
      : (reductionChart(log) ?? markup`<p>No rule is applied, so nothing is saved.</p>`);
  return markup`<section id="curves" aria-labelledby="curves-head"><h2 id="curves-head">How good the first rules are</h2>
<div class="beside">${precisionHtml}${reductionHtml}</div>
</section>`;
}
