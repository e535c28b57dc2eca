package org.apache.stormcrawler.filtering;

import java.net.URL;
import org.apache.stormcrawler.Metadata;

/** Its superclass has methods for names and parameters, none of them abstract. */
public abstract class URLFilter {
  public abstract String filter(URL sourceUrl, Metadata sourceMetadata, String urlToFilter);
}
