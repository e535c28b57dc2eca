package org.apache.nutch.net;

import java.net.MalformedURLException;
import org.apache.hadoop.conf.Configurable;

public interface URLNormalizer extends Configurable {
  String normalize(String urlString, String scope) throws MalformedURLException;
}
