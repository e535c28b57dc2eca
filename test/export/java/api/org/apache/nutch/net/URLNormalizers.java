package org.apache.nutch.net;

public final class URLNormalizers {
  public static final String SCOPE_FETCHER = "fetcher";
  public static final String SCOPE_OUTLINK = "outlink";
}
