// The query of a URL as text that begins with `?`, for steps. Fields are as in `url/fields`.

/** The query without the fields for which `goes` is true. If there are any, empty fields go too. */
export function withoutFields(query: string, goes: (field: string) => boolean): string {
  if (query === '') return query;
  // Each with the separator before it.
  const fields = `&${query.slice(1)}`.split(/(?=[&;])/);
  const kept = fields.filter((field) => !goes(field.slice(1)));
  if (kept.length === fields.length) return query;
  const text = kept.filter((field) => field.length > 1).join('');
  return text && `?${text.slice(1)}`;
}

export function nameOf(field: string): string {
  return field.split('=', 1)[0]!;
}
