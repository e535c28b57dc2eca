// Rules for Heritrix 3 as a CanonicalizationRule, in Java.
import type { ExportRequest, Exported, Target } from '../target.js';
import { writeClass } from './source.js';

const usage = `A canonicalization rule for Heritrix 3 (tried with 3.4.0). Save this file as DustbusterRule.java, and
in Heritrix' home:

    mkdir -p classes
    javac -cp 'lib/*' -d classes DustbusterRule.java
    jar cf lib/dustbuster-rule.jar -C classes .

In crawler-beans.cxml of a job:

    <bean id="canonicalizationPolicy" class="org.archive.modules.canonicalize.RulesCanonicalizationPolicy">
      <property name="rules"><list><bean class="DustbusterRule"/></list></property>
    </bean>

Heritrix then treats URLs with the same canonical form as one, and requests the URL as it was found. To keep its own
rules (LowercaseRule, StripWWWNRule), add them behind this one.`;

const members = `
  private static final long serialVersionUID = 1L;

  @Override
  public String canonicalize(String url) {
    return canonize(url);
  }

  @Override
  public boolean getEnabled() {
    return true;
  }
`;

export const heritrix: Target = {
  name: 'heritrix',
  summary: 'a canonicalization rule for Heritrix 3, in Java',
  usage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterRule implements CanonicalizationRule, Serializable',
      imports: ['java.io.Serializable', 'org.archive.modules.canonicalize.CanonicalizationRule'],
      members,
      usage,
    }),
};
