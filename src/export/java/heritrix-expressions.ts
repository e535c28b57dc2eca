// Rules for Heritrix: a canonicalization policy of RegexRule beans, which are applied once each, in order, and have to
// match the whole URL (`expressions.ts`).
import { headingLines } from '../heading.js';
import { crawlerForms, javaReplacements, type Replacement } from './expressions.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { xmlComment, xmlText } from './xml.js';

const usage = `Save this file beside crawler-beans.cxml of a Heritrix 3 job. In crawler-beans.cxml, replace the bean with the id
canonicalizationPolicy by this line:

    <import resource="canonicalization.cxml"/>

Heritrix then treats URLs with the same canonical form as one. This replaces its own rules (LowercaseRule,
StripWWWNRule); add those that you want to the end of the list.`;

const POLICY = 'org.archive.modules.canonicalize.RulesCanonicalizationPolicy';
const RULE = 'org.archive.modules.canonicalize.RegexRule';
const SCHEMA = 'http://www.springframework.org/schema/beans';

export const heritrixExpressions: Target = {
  name: 'heritrix-expressions',
  summary: 'a canonicalization policy for Heritrix 3 (CXML): expressions, for few rules',
  usage,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      ...xmlComment(headingLines(request, usage, left)),
      `<beans xmlns="${SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`,
      `    xsi:schemaLocation="${SCHEMA} ${SCHEMA}/spring-beans-3.0.xsd">`,
      `  <bean id="canonicalizationPolicy" class="${POLICY}">`,
      '    <property name="rules">',
      '      <list>',
      ...list.map(ruleBean),
      '      </list>',
      '    </property>',
      '  </bean>',
      '</beans>',
    ];
    return { text: `${lines.join('\n')}\n`, carried, left };
  },
};

function ruleBean({ find, put }: Replacement): string {
  return `        <bean class="${RULE}">
          <property name="regex" value="${xmlText(find)}"/>
          <property name="format" value="${xmlText(put)}"/>
        </bean>`;
}
