// The canonizer in Java, with the standard library of Java 8 only. It follows `canonize/canonizer` step by step: rounds
// through the rules of the form's site, preparation after each round, the least form of a cycle. Inside, a form is a
// String with one char for each byte: the virtual machine stores such strings as arrays of bytes, and searches them as
// fast.
//
// Each rule is filed under four bytes of a text that it needs: the four that the fewest other rules have. One pass over
// a form finds the rules that may change it. With 2,000 rules this takes as long as with 50.
import { rulesInJava } from './rules.js';

/** A nested class; it needs the imports of `IMPORTS`. */
export const canonizerInJava = String.raw`
  /** Finds canonical forms by the rules of a table. Threads can share it. */
  static final class Canonizer {
    private final boolean normalizes;
    private final boolean isPathForm;
    private final String sitePolicy;
    private final int maxRounds;
    private final int maxBytes;
    /** True for a site whose rules hold for all hosts below it. */
    private final Map<String, Boolean> sites = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, Group> groups = new HashMap<>();
    private final Group everywhere;

    Canonizer(String text) {
      String[] table = text.split("\n");
      String[] how = words(table[0]);
      normalizes = how[1].equals("safe");
      isPathForm = how[2].equals("path");
      sitePolicy = how[3];
      maxRounds = Integer.parseInt(how[4]);
      maxBytes = Integer.parseInt(how[5]);
      for (int at = 1; at < table.length; at++) {
        String[] line = words(table[at]);
        if (line[0].equals("site")) sites.put(line[1], line[2].equals("below"));
        else rules.add(ruleOf(line, rules.size()));
      }
      everywhere = new Group("*");
      for (String site : sites.keySet()) groups.put(site, new Group(site));
    }

    /** The canonical form of a URL. Text that is not a URL comes back unchanged. */
    String canonize(String url) {
      if (url == null) return null;
      String given = Bytes.of(url);
      if (given == null) return url;
      String form = canonizeBytes(given);
      return form.equals(given) ? url : Bytes.text(form);
    }

    /** The same, for a URL with one char for each byte. */
    String canonizeBytes(String given) {
      String prepared = prepare(given);
      return prepared == null ? given : formOf(given, prepared);
    }

    private String formOf(String given, String prepared) {
      List<String> forms = new ArrayList<>(3);
      forms.add(prepared);
      for (int round = 0; round < maxRounds; round++) {
        String form = forms.get(round);
        if (form.length() > maxBytes) return given;
        String image = applyRules(form);
        if (image.length() > maxBytes) return given;
        image = prepare(image);
        if (image == null) return given;
        if (image.equals(form)) return form;
        int first = forms.indexOf(image);
        if (first >= 0) return Collections.min(forms.subList(first, forms.size()), Canonizer::compareForms);
        forms.add(image);
      }
      return given;
    }

    /**
     * Applies all rules of the site once, in rank order. If a rule leads to another site, that site's rules continue
     * from the same rank.
     */
    private String applyRules(String form) {
      int rank = -1;
      for (;;) {
        Group group = groups.getOrDefault(siteOf(form), everywhere);
        BitSet found = group.look(form);
        String image = form;
        for (int at = found.nextSetBit(rank + 1); at >= 0; at = found.nextSetBit(at + 1)) {
          Rule rule = rules.get(at);
          image = rule.image(form);
          rank = at;
          if (!image.equals(form) && rule.holds(form)) break;
          image = form;
        }
        if (image.equals(form) || image.length() > maxBytes) return image;
        form = image;
      }
    }

    /** Orders forms: fewest tokens first, then fewest code points, then by text. */
    private static int compareForms(String a, String b) {
      if (tokens(a) != tokens(b)) return Integer.compare(tokens(a), tokens(b));
      int[] left = Bytes.text(a).codePoints().toArray();
      int[] right = Bytes.text(b).codePoints().toArray();
      if (left.length != right.length) return Integer.compare(left.length, right.length);
      for (int at = 0; at < left.length; at++) if (left[at] != right[at]) return Integer.compare(left[at], right[at]);
      return 0;
    }

    private static int tokens(String form) {
      int count = 0;
      for (int at = 0; at < form.length(); at++) if (isCut(form, 0, at)) count++;
      return count;
    }

    // Parts of a URL.

    /** Normalisation writes blanks as escapes. */
    private boolean isUrl(String form) {
      return (form.startsWith("/") || schemeEnd(form) > 0) && isClean(normalizes ? form.replace(' ', '+') : form);
    }

    private static boolean isClean(String text) {
      for (int at = 0; at < text.length(); at++) if (text.charAt(at) <= ' ' || text.charAt(at) == 0x7f) return false;
      return true;
    }

    /** The index after http:// or https://, or 0. */
    private static int schemeEnd(String form) {
      if (form.regionMatches(true, 0, "http://", 0, 7)) return 7;
      return form.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    }

    private static int pathStart(String form) {
      int at = schemeEnd(form);
      if (at == 0) return 0;
      while (at < form.length() && form.charAt(at) != '/' && form.charAt(at) != '?') at++;
      return at;
    }

    /** The index of the question mark, or the length if there is no query. */
    private static int queryStart(String form, int from) {
      int at = form.indexOf('?', from);
      return at < 0 ? form.length() : at;
    }

    /** A letter, a digit, or a byte from 0x80 up. */
    private static boolean isRun(char c) {
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** True if a token can start or end here: neither between two letters or digits nor inside of an escape. */
    private static boolean isCut(String form, int start, int at) {
      if (at == start || at == form.length() || !isRun(form.charAt(at))) return true;
      if (!isRun(form.charAt(at - 1))) return !isEscape(form, at - 1);
      return at >= start + 3 && isEscape(form, at - 3);
    }

    private static boolean isHex(String text, int at) {
      return at < text.length() && Character.digit(text.charAt(at), 16) >= 0 && text.charAt(at) < 0x80;
    }

    private static boolean isEscape(String text, int at) {
      return text.charAt(at) == '%' && isHex(text, at + 1) && isHex(text, at + 2);
    }

    private static int byteOf(String text, int at) {
      return Character.digit(text.charAt(at + 1), 16) * 16 + Character.digit(text.charAt(at + 2), 16);
    }

    /** Lower case of A to Z, except in escapes. */
    private static String lower(String text) {
      StringBuilder out = null;
      for (int at = 0; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '%' && isEscape(text, at)) at += 2;
        if (c < 'A' || c > 'Z') continue;
        if (out == null) out = new StringBuilder(text);
        out.setCharAt(at, (char) (c + 32));
      }
      return out == null ? text : out.toString();
    }

    // Preparation: the fragment is cut off, then the safe normalisation.

    /** Null if this is no URL, or one whose host browsers refuse. */
    private String prepare(String form) {
      if (!isUrl(form)) return null;
      int last = form.length();
      while (form.charAt(last - 1) == ' ') last--;
      int end = form.indexOf('#');
      form = form.substring(0, end < 0 ? last : end);
      if (isNormal(form)) return form;
      String head = plainHead(form);
      String rest = form.substring(authorityEnd(form));
      if (head == null) head = spelledHead(form.substring(0, form.length() - rest.length()));
      if (head == null || !normalizes) return head == null ? null : form;
      return head + spelled(rest);
    }

    /** A fast check that is true for nearly every URL; false means that the form may need work. */
    private static boolean isNormal(String form) {
      if (form.indexOf('%') >= 0 || form.contains("/.")) return false;
      for (int at = 0; at < form.length(); at++)
        if (form.charAt(at) <= ' ' || form.charAt(at) >= 0x7f || form.charAt(at) == '\\') return false;
      String head = plainHead(form);
      return head != null && form.startsWith("/", head.length());
    }

    /** The index of the end of scheme, host and port; 0 for a path. */
    private static int authorityEnd(String form) {
      int at = schemeEnd(form);
      while (at > 0 && at < form.length() && "/?\\".indexOf(form.charAt(at)) < 0) at++;
      return at;
    }

    /** Scheme and host if they are in normal form and there is no port, "" for a path, otherwise null. */
    private static String plainHead(String form) {
      if (form.startsWith("/")) return "";
      int start = form.startsWith("http://") ? 7 : form.startsWith("https://") ? 8 : 0;
      int label = start;
      int end = authorityEnd(form);
      for (int at = start; at < end; at++) {
        char c = form.charAt(at);
        if (c == '.') label = at + 1;
        else if (c == '-' && form.charAt(at - 1) == '-') return null;
        else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return null;
      }
      // A last label that begins with a digit may be of an address.
      return start > 0 && label < end && form.charAt(label) > '9' ? form.substring(0, end) : null;
    }

    /** Scheme, user and host as browsers write them; null for a host that they refuse, or whose form is not known here. */
    private static String spelledHead(String head) {
      int scheme = schemeEnd(head);
      int start = head.lastIndexOf('@') + 1;
      if (start < scheme) start = scheme;
      String host = head.substring(start);
      int portAt = portAt(host);
      String port = host.substring(Math.min(portAt + 1, host.length())).replaceFirst("^0+(?=.)", "");
      String name = spelledName(host.substring(0, portAt));
      if (name == null || port.length() > 5 || (!port.isEmpty() && Integer.parseInt(port) > 65535)) return null;
      boolean isUsual = port.isEmpty() || port.equals(scheme == 7 ? "80" : "443");
      String user = escapeRaw(head.substring(scheme, start));
      return lower(head.substring(0, scheme)) + user + name + (isUsual ? "" : ":" + port);
    }

    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[(?=[^\\[\\]]*:)[0-9A-Fa-f:.]+\\]");
    private static final Pattern NUMERIC_HOST = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)\\.?");
    private static final Pattern HOST_NAME = Pattern.compile("[!\"$&-,.;=_\u0060{}~a-z0-9-]+");

    private static String spelledName(String name) {
      try {
        if (IPV6.matcher(name).matches()) return ipv6(InetAddress.getByName(name).getAddress());
        StringBuilder bytes = new StringBuilder();
        for (int at = 0; at < name.length(); at++) {
          bytes.append(isEscape(name, at) ? (char) byteOf(name, at) : name.charAt(at));
          if (isEscape(name, at)) at += 2;
        }
        String text = Bytes.text(bytes.toString());
        // Java knows IDNA 2003, which has other names for these letters than browsers.
        for (char c : new char[] {0xdf, 0x3c2, 0x200c, 0x200d}) if (text.indexOf(c) >= 0) return null;
        text = lower(Bytes.of(text).equals(text) ? text : IDN.toASCII(text));
        for (String label : text.split("\\."))
          if (label.startsWith("xn--") && IDN.toUnicode(label).equals(label)) return null;
        boolean isAddress = NUMERIC_HOST.matcher(text).matches();
        return HOST_NAME.matcher(text).matches() && (!isAddress || IPV4.matcher(text).matches()) ? text : null;
      } catch (IllegalArgumentException | UnknownHostException refused) {
        return null;
      }
    }

    /** As RFC 5952 writes an address, with all of it in hexadecimal digits. */
    private static String ipv6(byte[] address) {
      int[] parts = new int[8];
      int from = 16 - address.length;
      // An address that only wraps one of four bytes comes as these.
      if (from > 0) parts[5] = 0xffff;
      for (int at = from; at < 16; at++) parts[at / 2] |= (address[at - from] & 0xff) << (at % 2 == 0 ? 8 : 0);
      int zeros = 8;
      int most = 1;
      for (int at = 0; at < 8; at++) {
        int end = at;
        while (end < 8 && parts[end] == 0) end++;
        if (end - at > most) {
          zeros = at;
          most = end - at;
        }
      }
      StringBuilder out = new StringBuilder("[");
      for (int at = 0; at < 8; at++) {
        if (at == zeros) {
          out.append(at == 0 ? "::" : ":");
          at += most - 1;
        } else out.append(Integer.toHexString(parts[at])).append(at < 7 ? ":" : "");
      }
      return out.append(']').toString();
    }

    /** Path and query in normal form. */
    private static String spelled(String rest) {
      rest = decode(escapeRaw(rest));
      int question = queryStart(rest, 0);
      String path = rest.substring(0, question).replace('\\', '/');
      if (path.contains("/.")) path = withoutDots(path);
      return (path.isEmpty() ? "/" : path) + rest.substring(question);
    }

    /** Writes blanks and bytes from 0x80 up as escapes. */
    private static String escapeRaw(String text) {
      StringBuilder out = new StringBuilder(text.length());
      for (int at = 0; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c != ' ' && c < 0x80) out.append(c);
        else out.append(String.format("%%%02X", (int) c));
      }
      return out.toString();
    }

    private static String decode(String text) {
      if (text.indexOf('%') < 0) return text;
      StringBuilder out = new StringBuilder(text.length());
      for (int at = 0; at < text.length(); at++) {
        if (!isEscape(text, at)) {
          out.append(text.charAt(at));
          continue;
        }
        char c = (char) byteOf(text, at);
        boolean isUnreserved = c < 0x80 && (isRun(c) || c == '-' || c == '.' || c == '_' || c == '~');
        // In %4%31 the 1 stays escaped, as %41 would be another character.
        if (isUnreserved && !(Character.digit(c, 16) >= 0 && endsInEscape(out))) out.append(c);
        else out.append('%').append(upper(text.charAt(at + 1))).append(upper(text.charAt(at + 2)));
        at += 2;
      }
      return out.toString();
    }

    private static boolean endsInEscape(StringBuilder out) {
      int end = out.length();
      if (end > 0 && out.charAt(end - 1) == '%') return true;
      return end > 1 && out.charAt(end - 2) == '%' && isHex(out.substring(end - 1), 0);
    }

    private static char upper(char c) {
      return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    private static int portAt(String host) {
      int at;
      if (host.startsWith("[")) {
        at = host.indexOf(']') + 1;
        if (at == 0 || at == host.length() || host.charAt(at) != ':') return host.length();
      } else {
        at = host.indexOf(':');
        if (at < 0) return host.length();
      }
      for (int digit = at + 1; digit < host.length(); digit++)
        if (host.charAt(digit) < '0' || host.charAt(digit) > '9') return host.length();
      return at;
    }

    private static boolean isDefaultPort(String port, int scheme) {
      return port.equals(":") || port.equals(scheme == 7 ? ":80" : ":443");
    }

    private static String withoutDots(String path) {
      String[] segments = path.substring(1).split("/", -1);
      List<String> kept = new ArrayList<>();
      for (int at = 0; at < segments.length; at++) {
        String segment = segments[at];
        if (segment.equals("..") && !kept.isEmpty()) kept.remove(kept.size() - 1);
        if (!segment.equals(".") && !segment.equals("..")) kept.add(segment);
        else if (at == segments.length - 1) kept.add("");
      }
      return kept.isEmpty() ? "" : "/" + String.join("/", kept);
    }

    // Which rules hold for a form?

    /** The site whose rules hold for a URL; "" for a path, null if no rule does. */
    private String siteOf(String form) {
      if (isPathForm) return "";
      if (sitePolicy.equals("all")) return "*";
      int scheme = schemeEnd(form);
      if (scheme == 0) return "";
      String host = form.substring(scheme, pathStart(form));
      // A rule can put a fragment in, which is only cut after the round.
      int hash = host.indexOf('#');
      if (hash >= 0) host = host.substring(0, hash);
      host = host.substring(host.lastIndexOf('@') + 1);
      if (host.isEmpty()) return "";
      int portAt = portAt(host);
      String port = host.substring(portAt);
      host = lowerAll(host.substring(0, portAt));
      if (sitePolicy.equals("host")) {
        String site = isDefaultPort(port, scheme) ? host : host + port;
        return sites.containsKey(site) ? site : null;
      }
      if (host.endsWith(".")) host = host.substring(0, host.length() - 1);
      if (sites.containsKey(host)) return host;
      for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
        String site = host.substring(dot + 1);
        if (sites.containsKey(site)) return sites.get(site) ? site : null;
      }
      return null;
    }

    private static String lowerAll(String text) {
      StringBuilder out = new StringBuilder(text);
      for (int at = 0; at < out.length(); at++)
        if (out.charAt(at) >= 'A' && out.charAt(at) <= 'Z') out.setCharAt(at, (char) (out.charAt(at) + 32));
      return out.toString();
    }

    /** The rules of a site, filed under four bytes of a text that they need. */
    private final class Group {
      /** Rules whose text is shorter than four bytes. */
      private final BitSet always = new BitSet();
      private final Map<Integer, int[]> byFour = new HashMap<>();
      /** False if the map has no key with this hash. */
      private final boolean[] hashes = new boolean[1 << 14];

      Group(String site) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (Rule rule : rules)
          for (int at = 4; at <= rule.needed().length(); at++) counts.merge(four(rule.needed(), at), 1, Integer::sum);
        for (int rank = 0; rank < rules.size(); rank++) {
          Rule rule = rules.get(rank);
          if (rule.site.equals("*") || rule.site.equals(site)) file(rank, rule.needed(), counts);
        }
      }

      private void file(int rank, String needed, Map<Integer, Integer> counts) {
        if (needed.length() < 4) {
          always.set(rank);
          return;
        }
        int rarest = four(needed, 4);
        for (int at = 5; at <= needed.length(); at++)
          if (counts.get(four(needed, at)) < counts.get(rarest)) rarest = four(needed, at);
        int[] others = byFour.getOrDefault(rarest, new int[0]);
        int[] filed = Arrays.copyOf(others, others.length + 1);
        filed[others.length] = rank;
        byFour.put(rarest, filed);
        hashes[hash(rarest)] = true;
      }

      /** The rules that may change a form. */
      BitSet look(String form) {
        BitSet found = (BitSet) always.clone();
        int four = 0;
        for (int at = 0; at < form.length(); at++) {
          four = four << 8 | form.charAt(at);
          if (at < 3 || !hashes[hash(four)]) continue;
          int[] filed = byFour.get(four);
          if (filed != null) for (int rank : filed) found.set(rank);
        }
        return found;
      }

      private int hash(int four) {
        return (four * 0x9e3779b1) >>> 18;
      }

      /** The four bytes that end at an index, as a number. */
      private int four(String text, int end) {
        int four = 0;
        for (int at = end - 4; at < end; at++) four = four << 8 | text.charAt(at);
        return four;
      }
    }

    private static String[] words(String line) {
      String[] words = line.split(" ", -1);
      for (int at = 0; at < words.length; at++) if (words[at].indexOf('~') >= 0) words[at] = Bytes.unescape(words[at]);
      return words;
    }
${rulesInJava}
  }

  /** Text as bytes, one char for each. As in Python, U+DC80 to U+DCFF stand for bytes that are not UTF-8. */
  static final class Bytes {
    /** Null if the text has any other lone surrogate. */
    static String of(String text) {
      int plain = 0;
      while (plain < text.length() && text.charAt(plain) < 0x80) plain++;
      if (plain == text.length()) return text;
      StringBuilder out = new StringBuilder(text.length() + 16);
      for (int at = 0; at < text.length(); at++) {
        int point = text.codePointAt(at);
        if (point > 0xffff) at++;
        if (point >= 0xdc80 && point <= 0xdcff) out.append((char) (point - 0xdc00));
        else if (point >= 0xd800 && point <= 0xdfff) return null;
        else if (point < 0x80) out.append((char) point);
        else for (byte one : utf8(point)) out.append((char) (one & 0xff));
      }
      return out.toString();
    }

    private static byte[] utf8(int point) {
      return new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8);
    }

    static String text(String bytes) {
      int plain = 0;
      while (plain < bytes.length() && bytes.charAt(plain) < 0x80) plain++;
      if (plain == bytes.length()) return bytes;
      ByteBuffer in = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
      char[] out = new char[bytes.length()];
      CharBuffer text = CharBuffer.wrap(out);
      CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
      for (;;) {
        CoderResult result = decoder.decode(in, text, true);
        if (!result.isError()) break;
        for (int left = result.length(); left > 0; left--) text.put((char) (0xdc00 + (in.get() & 0xff)));
      }
      return new String(out, 0, text.position());
    }

    /** Replaces escapes such as ~2f by the byte 0x2f. */
    static String unescape(String word) {
      StringBuilder out = new StringBuilder(word.length());
      for (int at = 0; at < word.length(); at++) {
        if (word.charAt(at) != '~') {
          out.append(word.charAt(at));
          continue;
        }
        out.append((char) Integer.parseInt(word.substring(at + 1, at + 3), 16));
        at += 2;
      }
      return out.toString();
    }
  }
`;

/** Imports that the classes need. */
export const IMPORTS: readonly string[] = [
  'java.net.IDN',
  'java.net.InetAddress',
  'java.net.UnknownHostException',
  'java.nio.ByteBuffer',
  'java.nio.CharBuffer',
  'java.nio.charset.CharsetDecoder',
  'java.nio.charset.CoderResult',
  'java.nio.charset.StandardCharsets',
  'java.util.ArrayList',
  'java.util.Arrays',
  'java.util.BitSet',
  'java.util.Collections',
  'java.util.HashMap',
  'java.util.HashSet',
  'java.util.List',
  'java.util.Map',
  'java.util.Set',
  'java.util.regex.Matcher',
  'java.util.regex.Pattern',
];
