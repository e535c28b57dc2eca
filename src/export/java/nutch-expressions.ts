// Rules as regex-normalize.xml for Nutch, which applies its entries once each, in order, with java.util.regex
// (`expressions.ts`).
import { headingLines } from '../heading.js';
import { crawlerForms, javaReplacements, type Replacement } from './expressions.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { xmlComment, xmlText } from './xml.js';

const usage = `regex-normalize.xml of Apache Nutch, for the plugin urlnormalizer-regex. Let urlnormalizer-basic come
first (urlnormalizer.order), as rules expect normalized URLs. Put entries of your own before or behind these, and keep
the order of these. A URL that these entries cannot canonize stays as it is.`;

export const nutchExpressions: Target = {
  name: 'nutch-expressions',
  summary: 'regex-normalize.xml for Apache Nutch: expressions, for few rules',
  usage,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const comment = xmlComment(headingLines(request, usage, left));
    const lines = [
      '<?xml version="1.0"?>',
      ...comment,
      '<regex-normalize>',
      ...list.map(regexElement),
      '</regex-normalize>',
    ];
    return { text: `${lines.join('\n')}\n`, carried, left };
  },
};

function regexElement({ find, put }: Replacement): string {
  return `<regex>
  <pattern>${xmlText(find)}</pattern>
  <substitution>${xmlText(put)}</substitution>
</regex>`;
}
