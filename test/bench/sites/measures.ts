// How good are canonical forms, by the truth of the pages? The measures of SPEC 12, counted by themselves, not by what
// `eval` has.

export interface Label {
  readonly exact: string;
  /** The cluster: what is meant by content. */
  readonly near: string;
}

export type Truth = ReadonlyMap<string, Label>;

export interface FormMeasures {
  readonly urls: number;
  readonly contents: number;
  readonly forms: number;
  /** (U − distinct (form, content)) / (U − contents): a false merge earns nothing. */
  readonly coverage: number;
  /** (U − forms) / (U − contents), as the paper has it. */
  readonly paperCoverage: number;
  /** URLs whose form has another content for its majority. */
  readonly falseMerges: number;
  readonly falseShare: number;
  readonly lostPages: number;
  /** Share of the URLs whose form is longer than they are. */
  readonly longerShare: number;
  readonly changed: number;
}

/** A URL that `forms` has not is its own form. */
export function measureForms(truth: Truth, forms: ReadonlyMap<string, string>): FormMeasures {
  const contentsOf = new Map<string, Map<string, number>>();
  let [longer, changed] = [0, 0];
  for (const [url, { near }] of truth) {
    const form = forms.get(url) ?? url;
    if (form.length > url.length) longer++;
    if (form !== url) changed++;
    const contents = contentsOf.get(form) ?? new Map<string, number>();
    contentsOf.set(form, contents.set(near, (contents.get(near) ?? 0) + 1));
  }
  const shown = new Set<string>();
  let [pairs, falseMerges] = [0, 0];
  for (const contents of contentsOf.values()) {
    pairs += contents.size;
    const [most, ...others] = [...contents].sort(([, a], [, b]) => b - a);
    shown.add(most![0]);
    falseMerges += others.reduce((sum, [, urls]) => sum + urls, 0);
  }
  const [urls, contents] = [truth.size, new Set(Array.from(truth.values(), ({ near }) => near)).size];
  const duplicates = Math.max(1, urls - contents);
  return {
    urls,
    contents,
    forms: contentsOf.size,
    coverage: (urls - pairs) / duplicates,
    paperCoverage: (urls - contentsOf.size) / duplicates,
    falseMerges,
    falseShare: falseMerges / Math.max(1, urls),
    lostPages: contents - shown.size,
    longerShare: longer / Math.max(1, urls),
    changed,
  };
}
