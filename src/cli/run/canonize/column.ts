// The column of `canonize --columns url=NAME`.
import { printable } from '../../../base/bytes.js';
import { UserError } from '../../../base/error.js';
import { parseColumns } from '../input/reading.js';

/** The name of the column with the URLs. Throws a UserError if another column is named. */
export function urlColumn(columns: string): string {
  const { url, ...others } = parseColumns(columns);
  if (url !== undefined && Object.keys(others).length === 0) return url;
  throw new UserError(`--columns: got ${printable(columns)}; expected url=NAME, as only the URL counts here`);
}
