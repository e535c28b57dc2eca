// Which text can a rule not write into a URL? `canonize` does not apply a rule that would write a blank, and cuts off a
// fragment before the next round; software that only replaces text does neither.
import { encodeText } from '../base/bytes.js';
import { isClean } from '../url/form.js';

/** Why the text cannot be written, if so. */
export function unwritable(text: string): string | undefined {
  if (!isClean(encodeText(text))) return 'would write a blank or a control character';
  return text.includes('#') ? 'would write a fragment' : undefined;
}
