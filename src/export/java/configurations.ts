// Rules as lists of expressions (`expressions.ts`) in the configuration files of three crawlers.
import { headingLines } from '../heading.js';
import { type Replacement, crawlerForms, javaReplacements } from './expressions.js';
import type { ExportRequest, Exported, Target } from '../target.js';

// Rules for Heritrix: a canonicalization policy of RegexRule beans, which are applied once each, in order, and have to
// match the whole URL (`expressions.ts`).

const heritrixUsage = `Save this file beside crawler-beans.cxml of a Heritrix 3 job. In crawler-beans.cxml, replace the bean with the id
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
  usage: heritrixUsage,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      ...xmlComment(headingLines(request, heritrixUsage, left)),
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

// Rules as regex-normalize.xml for Nutch, which applies its entries once each, in order, with java.util.regex
// (`expressions.ts`).

const nutchUsage = `regex-normalize.xml of Apache Nutch, for the plugin urlnormalizer-regex. Let urlnormalizer-basic come
first (urlnormalizer.order), as rules expect normalized URLs. Put entries of your own before or behind these, and keep
the order of these. A URL that these entries cannot canonize stays as it is.`;

export const nutchExpressions: Target = {
  name: 'nutch-expressions',
  summary: 'regex-normalize.xml for Apache Nutch: expressions, for few rules',
  usage: nutchUsage,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const comment = xmlComment(headingLines(request, nutchUsage, left));
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

// Rules for StormCrawler: a filter in urlfilters.json, whose RegexURLNormalizer applies each entry once, in order, with
// java.util.regex (`expressions.ts`). Parameters are entries too: queryElementsToRemove of the BasicURLNormalizer
// applies to all sites, and sorts and re-encodes the queries of all URLs, so the forms would differ from those of
// canonize.

export const stormcrawlerExpressions: Target = {
  name: 'stormcrawler-expressions',
  summary: 'urlfilters.json for Apache StormCrawler: expressions, for few rules',
  usage: `Put the one filter of this file into urlfilters.json of an Apache StormCrawler project (3.0 or later), behind BasicURLNormalizer, as
rules expect normalized URLs. Keep the order of its entries. A URL that they cannot canonize stays as it is.`,
  formsBy: crawlerForms,
  write(request: ExportRequest): Exported {
    const { list, carried, left } = javaReplacements(request);
    const filter = {
      class: 'org.apache.stormcrawler.filtering.regex.RegexURLNormalizer',
      name: 'dustbuster',
      params: { urlNormalizers: list.map(({ find, put }) => ({ pattern: find, substitution: put })) },
    };
    const text = JSON.stringify({ 'org.apache.stormcrawler.filtering.URLFilters': [filter] }, null, 2);
    return { text: `${text}\n`, carried, left };
  },
};

// How is text written in XML? As printable ASCII, with numeric references for all other characters.

/**
 * Escapes text for an element or for an attribute in double quotes. Expects no control characters and no lone
 * surrogates.
 */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]|[^\x20-\x7e]/gu, (char) => `&#${char.codePointAt(0)!};`);
}

/** `lines` come from `headingLines`, which never has two adjacent hyphens. */
export function xmlComment(lines: readonly string[]): readonly string[] {
  return ['<!--', ...lines.map((line) => `  ${line}`.trimEnd()), '-->'];
}
