// The section on the audit: the result of all rules together on a fresh sample of the list.
import type { Audit } from '../../../rule/rule.js';
import { boundText, consequencesOf, cutText, failureKinds, failuresOf, probesText } from '../../validation.js';
import { markup, NOTHING, shown, type Html } from './html.js';
import { FORMATS } from './table.js';

const { count, many, share } = FORMATS;

export function auditHtml(audit: Audit): Html {
  const { sample, probes = 0, urls, forms, longer, unsettled } = audit;
  const consequences = consequencesOf(audit);
  const unjudged = Object.entries(audit.unjudged).map(([reason, n]) => `${reason} ${count(n)}`);
  const entries: (readonly [string, string])[] = [
    [
      'sample',
      `${many(sample, 'URL')}${probesText(probes)} with ${sample === 1 ? 'its canonical form' : 'their canonical forms'}${cutText(audit)}`,
    ],
    ['failed', sample === 0 ? 'not known' : `${count(failuresOf(audit))}${failureKinds(audit)}`],
    ['of all forms', sample === 0 ? 'not known' : `${boundText(audit)} fail, with 95 % confidence`],
    ...(unjudged.length === 0 ? [] : [['without a verdict', unjudged.join(', ')] as const]),
    [
      'the list',
      `${many(urls, 'URL')}, ${many(forms, 'form')}${urls === 0 ? '' : `, ${share((urls - forms) / urls)} fewer`}`,
    ],
    ['longer forms', count(longer)],
    ['unsettled URLs', count(unsettled)],
    ...(consequences === '' ? [] : [['because of it', consequences] as const]),
  ];
  return markup`<section id="audit" aria-labelledby="audit-head"><h2 id="audit-head">The audit</h2>
<p>When all rules were settled, URLs drawn afresh from the list were asked for, and their canonical forms: each form has to be the same page, and to answer by itself, without a redirect.</p>
<dl class="words">${entries.map(
    ([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>
`,
  )}</dl>
${audit.failures.length === 0 ? NOTHING : failuresHtml(audit)}
</section>`;
}

function failuresHtml({ failures }: Audit): Html {
  const rows = failures.map(
    ([url, form, why]) =>
      markup`<tr><td><code>${shown(url)}</code></td><td><code>${shown(form)}</code></td><td>${shown(why)}</td></tr>
`,
  );
  return markup`<div class="scroll"><table class="plain"><caption>Some that failed</caption>
<thead><tr><th scope="col">URL</th><th scope="col">canonical form</th><th scope="col">why</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
