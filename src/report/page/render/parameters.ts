// The parameters of the log's URLs: how many there are, how much they vary, and what each does to the page.
import type { LogFacts, ParameterClass } from '../model.js';
import { markup, NOTHING, shown, type Html, FORMATS, tableHtml } from './html.js';
import { siteName } from './sites.js';
import type { Cell, TableData } from '../table.js';

export const CLASSES: Readonly<Record<ParameterClass, string>> = {
  changes: 'shows another page',
  sorts: 'shows the same in another order',
  narrows: 'shows a part of it',
  irrelevant: 'makes no difference',
  unknown: 'the log does not show it',
};

export function parametersTable({ parameters }: LogFacts): TableData {
  const withSite = new Set(parameters.map(({ site }) => site)).size > 1;
  return {
    id: 'parameters',
    caption: 'Parameters, and what they do',
    noun: 'parameter',
    pageRows: 50,
    columns: [
      { label: 'parameter', kind: 'url', isHead: true },
      ...(withSite ? [{ label: 'site', kind: 'site', filter: 'part' } as const] : []),
      {
        label: 'class',
        kind: 'word',
        filter: 'choice',
        about: 'what it does, in the words of Google’s URL parameter tool',
      },
      { label: 'why', kind: 'text' },
      { label: 'URLs', kind: 'count', about: 'distinct URLs that have it' },
      { label: 'hits', kind: 'count', about: 'hits on these URLs' },
      { label: 'values', kind: 'atLeast', about: 'distinct values' },
      { label: 'same', kind: 'count', about: 'groups of URLs equal but for it whose sizes or sketches agree' },
      { label: 'different', kind: 'count', about: 'groups whose sizes or sketches do not agree' },
      { label: 'silent', kind: 'count', about: 'groups that say nothing' },
      { label: 'effect on size', kind: 'ratio', about: 'median of the largest over the smallest size in a group' },
      { label: 'rule', kind: 'rank', about: 'the applied rule that takes it out or sets it' },
    ],
    rows: parameters.map((parameter): Cell[] => [
      shown(parameter.name, 100),
      ...(withSite ? [siteName(parameter.site)] : []),
      parameter.class,
      shown(parameter.reason),
      parameter.urls,
      parameter.hits,
      [parameter.values, parameter.areMore],
      parameter.groups.same,
      parameter.groups.different,
      parameter.groups.silent,
      parameter.sizeRatio,
      parameter.rule ?? null,
    ]),
    more: parameters.map(({ commonest }) =>
      commonest.length === 0
        ? null
        : [
            {
              head: 'Commonest values',
              items: commonest.map((value) => [value === '' ? '(empty)' : shown(value), ''] as const),
            },
          ],
    ),
  };
}

export function parametersHtml({ parameters, otherParameters = 0 }: LogFacts, table: TableData): Html {
  const counts = Object.entries(CLASSES).map(([name, meaning]) => {
    const number = parameters.filter((parameter) => parameter.class === name).length;
    return markup`<li>${FORMATS.count(number)} <span class="word is-${name}">${name}</span> <span class="why">(${meaning})</span></li>
`;
  });
  const others =
    otherParameters === 0
      ? NOTHING
      : markup`<p>${FORMATS.many(otherParameters, 'more parameter')} that fewer URLs have: not listed.</p>`;
  return markup`<section id="parameters" aria-labelledby="parameters-head"><h2 id="parameters-head">Parameters</h2>
<p>What a parameter does to the page, by the sizes or sketches of URLs that are equal but for it.</p>
${table.rows.length === 0 ? markup`<p>No URL of the log has a parameter.</p>` : markup`<ul class="classes">${counts}</ul>${tableHtml(table)}`}
${others}
</section>`;
}
