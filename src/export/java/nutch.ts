// Rules for Apache Nutch as a plugin: a URLNormalizer, in Java. It leaves targets of redirects alone (Nutch's scope
// `fetcher`): if a rule leads from a target back to the URL that redirects there, the page would never be fetched.
import type { ExportRequest, Exported, Target } from '../target.js';
import { writeClass } from './source.js';

const usage = `A plugin for Apache Nutch 1 (tried with 1.20). Save this file as DustbusterURLNormalizer.java, and in
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

const members = `
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
  usage,
  write: (request: ExportRequest): Exported =>
    writeClass(request, {
      declaration: 'class DustbusterURLNormalizer implements URLNormalizer',
      imports: [
        'org.apache.hadoop.conf.Configuration',
        'org.apache.nutch.net.URLNormalizer',
        'org.apache.nutch.net.URLNormalizers',
      ],
      members,
      usage,
    }),
};
