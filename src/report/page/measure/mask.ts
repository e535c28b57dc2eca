// The log of a report without values of visitors: a report is passed on, and URLs are examples in it.
import { MASK, masked, secretKindOf } from '../../../url/secret.js';
import type { CrawlSpace, DuplicateGroup, Fix, LogFacts, ParameterRow } from '../model.js';

export function maskedLog(log: LogFacts): LogFacts {
  return {
    ...log,
    groups: log.groups.map(maskedGroup),
    fixes: log.fixes.map(maskedFix),
    crawlSpace: log.crawlSpace.map(maskedSpace),
    parameters: log.parameters.map(maskedParameter),
  };
}

function maskedGroup(group: DuplicateGroup): DuplicateGroup {
  const members = group.members.map(({ url, hits }) => ({ url: masked(url), hits }));
  return { ...group, canonical: masked(group.canonical), members };
}

function maskedFix(fix: Fix): Fix {
  return { ...fix, examples: fix.examples.map(([url, form]) => [masked(url), masked(form)] as const) };
}

function maskedSpace(space: CrawlSpace): CrawlSpace {
  const { parameters, endless } = space;
  const some = parameters.map((one) => ({ ...one, ...maskedField(one.name, one.values) }));
  if (endless === undefined) return { ...space, parameters: some };
  return { ...space, parameters: some, endless: { ...endless, examples: endless.examples.map(masked) } };
}

function maskedParameter(row: ParameterRow): ParameterRow {
  const { name, values: commonest } = maskedField(row.name, row.commonest);
  return { ...row, name, commonest };
}

/** A field without `=` has its value for a name. */
function maskedField(name: string, values: readonly string[]) {
  const shown = values.map((value) => (secretKindOf(name, value) === undefined ? value : MASK));
  return { name: secretKindOf('', name) === undefined ? name : MASK, values: [...new Set(shown)] };
}
