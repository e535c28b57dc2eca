// How far do rules reach that a person wrote? Files of lines
//
//   true|partly|false <tab> S|P|R <tab> from <tab> to <tab> what is known of it
//
// S puts `to` in place of `from` somewhere in ^URL$; P takes a parameter out, or gives it the value `to`; R is a
// regular expression. `""` is the empty text. Only what is true everywhere is applied, the first rule that leads to
// something new, until none does.

export interface HandWrittenRule {
  readonly kind: 'S' | 'P' | 'R';
  readonly from: string;
  readonly to: string;
}

/** No chain of true rules is longer. */
const MOST_STEPS = 60;

export function trueRulesOf(text: string): HandWrittenRule[] {
  return text.split('\n').flatMap((line) => {
    const [holds, kind = '', from = '', to = ''] = line.split('\t');
    if (holds !== 'true') return [];
    if (kind !== 'S' && kind !== 'P' && kind !== 'R')
      throw new Error(`got the kind "${kind}" in "${line}", expected S, P or R`);
    return [{ kind, from, to: to === '""' ? '' : to }];
  });
}

export function formByHand(rules: readonly HandWrittenRule[], url: string): string {
  const seen = new Set([url]);
  let at = url;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = firstNew(rules, at, seen);
    if (next === undefined) return at;
    seen.add(next);
    at = next;
  }
  return at;
}

function firstNew(rules: readonly HandWrittenRule[], url: string, seen: ReadonlySet<string>): string | undefined {
  for (const rule of rules) {
    const next = imagesOf(rule, url).find((image) => !seen.has(image));
    if (next !== undefined) return next;
  }
  return undefined;
}

function imagesOf({ kind, from, to }: HandWrittenRule, url: string): string[] {
  switch (kind) {
    case 'S': {
      const whole = `^${url}$`;
      const places: number[] = [];
      for (let at = whole.indexOf(from); at >= 0; at = whole.indexOf(from, at + 1)) places.push(at);
      return places.map((at) => (whole.slice(0, at) + to + whole.slice(at + from.length)).replace(/^\^|\$$/g, ''));
    }
    case 'P':
      return withoutField(url, from, to);
    case 'R':
      // The files have Python's \1.
      return [url.replace(new RegExp(from), to.replaceAll('$', '$$$$').replace(/\\(\d)/g, '$$$1'))];
    default:
      return kind satisfies never;
  }
}

function withoutField(url: string, name: string, value: string): string[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  const fields = url.slice(start + 1).split(/(?=[&;])/);
  const nameOf = (field: string): string => field.replace(/^[&;]/, '').split('=')[0]!;
  if (!fields.some((field) => nameOf(field) === name)) return [];
  const left = fields.flatMap((field) =>
    nameOf(field) !== name ? [field] : value === '' ? [] : [`&${name}=${value}`],
  );
  const query = left.join('').replace(/^[&;]/, '');
  return [url.slice(0, start) + (query === '' ? '' : `?${query}`)];
}
