package org.archive.modules.canonicalize;

public interface CanonicalizationRule {
  String canonicalize(String url);

  boolean getEnabled();
}
