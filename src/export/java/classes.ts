// Rules as Java classes (`source.ts`): a program of its own, and plugins for three crawlers.
import { writeClass } from './source.js';
import type { ExportRequest, Exported, Target } from '../target.js';

// Rules as a Java class without dependencies. It is also a program, which reads URLs from lines and prints their forms.

const javaUsage = `Save it as CanonicalUrls.java, and call CanonicalUrls.canonize(url), from any number of threads. It
only needs Java 8 or later. As a program (Java 11 or later), line by line:

    java CanonicalUrls.java < urls.txt > forms.txt`;

const javaMembers = `
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
    PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.ISO_8859_1));
    for (String line = in.readLine(); line != null; line = in.readLine())
      out.print(CANONIZER.canonizeBytes(line) + "\\n");
    out.flush();
  }
`;

export const java: Target = {
  name: 'java',
  summary: 'a Java class without dependencies: CanonicalUrls.canonize(url)',
  longLists: 'only',
  usage: javaUsage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class CanonicalUrls',
      imports: [
        'java.io.BufferedReader',
        'java.io.IOException',
        'java.io.InputStreamReader',
        'java.io.OutputStreamWriter',
        'java.io.PrintWriter',
      ],
      members: javaMembers,
      usage: javaUsage,
    }),
};

// Rules for Heritrix 3 as a CanonicalizationRule, in Java.

const heritrixUsage = `A canonicalization rule for Heritrix 3 (tried with 3.4.0). Save this file as DustbusterRule.java, and
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

const heritrixMembers = `
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
  longLists: 'only',
  usage: heritrixUsage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterRule implements CanonicalizationRule, Serializable',
      imports: ['java.io.Serializable', 'org.archive.modules.canonicalize.CanonicalizationRule'],
      members: heritrixMembers,
      usage: heritrixUsage,
    }),
};

// Rules for Apache Nutch as a plugin: a URLNormalizer, in Java. It leaves targets of redirects alone (Nutch's scope
// `fetcher`): if a rule leads from a target back to the URL that redirects there, the page would never be fetched.

const nutchUsage = `A plugin for Apache Nutch 1 (tried with 1.20). Save this file as DustbusterURLNormalizer.java, and in
Nutch's home:

    mkdir -p plugins/urlnormalizer-dustbuster classes
    javac -cp 'lib/*' -d classes DustbusterURLNormalizer.java
    jar cf plugins/urlnormalizer-dustbuster/urlnormalizer-dustbuster.jar -C classes .

plugins/urlnormalizer-dustbuster/plugin.xml is

    <plugin id="urlnormalizer-dustbuster" name="Canonical URLs" version="1.0.0" provider-name="dustbuster">
      <runtime>
        <library name="urlnormalizer-dustbuster.jar"><export name="*"/></library>
      </runtime>
      <requires><import plugin="nutch-extensionpoints"/></requires>
      <extension id="dustbuster" name="Canonical URLs" point="org.apache.nutch.net.URLNormalizer">
        <implementation id="DustbusterURLNormalizer" class="DustbusterURLNormalizer"/>
      </extension>
    </plugin>

Add urlnormalizer-dustbuster to plugin.includes of conf/nutch-site.xml, and DustbusterURLNormalizer to
urlnormalizer.order, behind org.apache.nutch.net.urlnormalizer.basic.BasicURLNormalizer. Targets of redirects stay as
they are.`;

const nutchMembers = `
  private Configuration conf;

  @Override
  public String normalize(String url, String scope) {
    return URLNormalizers.SCOPE_FETCHER.equals(scope) ? url : canonize(url);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }
`;

export const nutch: Target = {
  name: 'nutch',
  summary: 'a URL normalizer for Apache Nutch: a plugin in Java',
  longLists: 'only',
  usage: nutchUsage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterURLNormalizer implements URLNormalizer',
      imports: [
        'org.apache.hadoop.conf.Configuration',
        'org.apache.nutch.net.URLNormalizer',
        'org.apache.nutch.net.URLNormalizers',
      ],
      members: nutchMembers,
      usage: nutchUsage,
    }),
};

// Rules for Apache StormCrawler as a URLFilter, in Java.

const stormcrawlerUsage = `A filter for Apache StormCrawler 3. Save this file as src/main/java/DustbusterURLFilter.java in the
project of a topology, and put this into its urlfilters.json, behind BasicURLNormalizer:

    { "class": "DustbusterURLFilter", "name": "dustbuster", "params": {} }

StormCrawler filters targets of redirects too. If the site redirects a canonical form to another URL, turn the rule
(dustbuster turn), or that page is never fetched.`;

const stormcrawlerMembers = `
  @Override
  public String filter(URL sourceUrl, Metadata sourceMetadata, String urlToFilter) {
    return canonize(urlToFilter);
  }
`;

export const stormcrawler: Target = {
  name: 'stormcrawler',
  summary: 'a URL filter for Apache StormCrawler, in Java',
  longLists: 'only',
  usage: stormcrawlerUsage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterURLFilter extends URLFilter',
      imports: ['java.net.URL', 'org.apache.stormcrawler.Metadata', 'org.apache.stormcrawler.filtering.URLFilter'],
      members: stormcrawlerMembers,
      usage: stormcrawlerUsage,
    }),
};
