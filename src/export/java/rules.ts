// How is a rule applied to a URL in Java? As in `rule/apply`, `rule/step` and `rule/condition`, on Strings with one
// char for each byte. This is a part of the class in `canonizer.ts`.

export const rulesInJava = String.raw`
    // What does a rule do to a URL?

    private abstract static class Rule {
      final String site;
      /** Conditions, as pairs of a part of the URL and its text: where the rule holds, and where it does not. */
      private final List<String> only = new ArrayList<>();
      private final List<String> not = new ArrayList<>();
      /** There may be thousands of hosts. */
      private final Set<String> onlyHosts = new HashSet<>();
      private final Set<String> notHosts = new HashSet<>();
      private final Set<String> except = new HashSet<>();

      /** The conditions begin at the word with this index. */
      Rule(String[] line, int conditions) {
        site = line[1];
        for (int at = conditions; at < line.length; at++) {
          String kind = line[at];
          if (kind.equals("except")) {
            except.add(line[++at]);
            continue;
          }
          String part = line[++at];
          String text = line[++at];
          if (part.equals("host")) {
            (kind.equals("only") ? onlyHosts : notHosts).add(text);
            continue;
          }
          List<String> list = kind.equals("only") ? only : not;
          list.add(part);
          list.add(text);
        }
      }

      /** Text that a form must contain for the rule to change it. */
      abstract String needed();

      /** The changed form, or the form itself. */
      abstract String image(String form);

      boolean holds(String form) {
        if (except.contains(form)) return false;
        if (!notHosts.isEmpty() && notHosts.contains(hostOf(form))) return false;
        for (int at = 0; at < not.size(); at += 2) if (meets(form, not.get(at), not.get(at + 1))) return false;
        if (!onlyHosts.isEmpty() && onlyHosts.contains(hostOf(form))) return true;
        for (int at = 0; at < only.size(); at += 2) if (meets(form, only.get(at), only.get(at + 1))) return true;
        return only.isEmpty() && onlyHosts.isEmpty();
      }
    }

    private Rule ruleOf(String[] line, int rank) {
      switch (line[0]) {
        case "substring":
          return new Substring(line);
        case "parameter":
          return new Parameter(line);
        case "step":
          if (line[2].endsWith("-items")) return new Items(line);
          return new Step(line);
        default:
          throw new IllegalArgumentException("rule " + (rank + 1) + ": no such kind: " + line[0]);
      }
    }

    private static final Pattern PATH_FIELD = Pattern.compile(";([^;/=]+)=[^;/]*");

    /** With its port, without user information. */
    private static String hostOf(String form) {
      String host = form.substring(schemeEnd(form), pathStart(form));
      return host.substring(host.lastIndexOf('@') + 1);
    }

    private static boolean meets(String form, String part, String text) {
      int start = pathStart(form);
      if (part.equals("text")) return form.indexOf(text, start) >= 0;
      int question = queryStart(form, start);
      String path = form.substring(start, question);
      String query = question == form.length() ? "" : form.substring(question + 1);
      if (part.equals("parameter") || part.equals("field")) {
        boolean wholeFields = part.equals("field");
        Matcher inPath = PATH_FIELD.matcher(path);
        while (inPath.find())
          if ((wholeFields ? inPath.group().substring(1) : inPath.group(1)).equals(text)) return true;
        if (question == form.length() || (!wholeFields && isBare(query))) return false;
        for (String field : split(query))
          if ((wholeFields ? field.substring(1) : nameOf(field)).equals(text)) return true;
        return false;
      }
      if (part.equals("query")) return question < form.length() && query.contains(text);
      if (part.equals("fields")) return filled(query) == Integer.parseInt(text);
      List<String> segments = new ArrayList<>();
      String all = path.isEmpty() ? "/" : path;
      for (String segment : all.substring(all.indexOf('/') + 1).split("/", -1)) segments.add(before(segment, ';'));
      String last = segments.get(segments.size() - 1);
      switch (part) {
        case "depth":
          int depth = 0;
          for (String segment : segments) if (!segment.isEmpty()) depth++;
          return depth == Integer.parseInt(text);
        case "extension":
          int dot = last.lastIndexOf('.');
          return (dot > 0 ? last.substring(dot + 1) : "").equals(text);
        case "first":
          return segments.get(0).equals(text);
        case "last":
          return last.equals(text);
        default:
          return segments.contains(text);
      }
    }

    // Fields of a query, each with the separator before it: &a=1, ;b=2.

    private static List<String> split(String query) {
      List<String> fields = new ArrayList<>();
      int start = 0;
      char separator = '&';
      for (int at = 0; at <= query.length(); at++) {
        boolean isEnd = at == query.length();
        if (!isEnd && query.charAt(at) != '&' && query.charAt(at) != ';') continue;
        fields.add(separator + query.substring(start, at));
        start = at + 1;
        if (!isEnd) separator = query.charAt(at);
      }
      return fields;
    }

    /** The query with its question mark, or "" if there are no fields. */
    private static String join(List<String> fields) {
      String text = String.join("", fields);
      return text.isEmpty() ? "" : "?" + text.substring(1);
    }

    private static String nameOf(String field) {
      return before(field.substring(1), '=');
    }

    private static String before(String text, char end) {
      int at = text.indexOf(end);
      return at < 0 ? text : text.substring(0, at);
    }

    private static int filled(String query) {
      int count = 0;
      for (String field : split(query)) if (field.length() > 1) count++;
      return count;
    }

    /** A query of one field without "=" has no parameter. */
    private static boolean isBare(String query) {
      return query.indexOf('=') < 0 && filled(query) == 1;
    }

    /** One text becomes another at the leftmost place where it stands as whole tokens. */
    private final class Substring extends Rule {
      private final String from;
      private final String to;
      private final boolean atStart;
      private final boolean atEnd;
      private final boolean isWritable;
      /** Offsets of "from" inside "to": a match there has been replaced already. */
      private final List<Integer> inside = new ArrayList<>();

      Substring(String[] line) {
        super(line, 5);
        atStart = line[2].equals("start") || line[2].equals("both");
        atEnd = line[2].equals("end") || line[2].equals("both");
        from = line[3];
        to = line[4];
        isWritable = isClean(to);
        for (int at = 0; at + from.length() <= to.length(); at++) if (stands(to, 0, at, from)) inside.add(at);
      }

      @Override
      String needed() {
        return from;
      }

      @Override
      String image(String form) {
        if (!isWritable) return form;
        int path = pathStart(form);
        int start = isPathForm ? path : 0;
        if (from.isEmpty()) {
          if (!atStart && !atEnd) return form;
          return at(form, start, path, atStart ? start : form.length());
        }
        for (int at = form.indexOf(from, start); at >= 0; at = form.indexOf(from, at + 1)) {
          String image = at(form, start, path, at);
          if (image != form) return image;
        }
        return form;
      }

      /** The image of a replacement at this index; the form itself if "from" does not stand there. */
      private String at(String form, int start, int path, int at) {
        if (!stands(form, start, at, from)) return form;
        for (int shift : inside) if (stands(form, start, at - shift, to)) return form;
        String image = form.substring(0, at) + to + form.substring(at + from.length());
        return at > path || keepsBeginning(form, image, at, start, path) ? image : form;
      }

      /**
       * True if the image keeps scheme and host. They may change only if the rule removes a letter or digit from them.
       */
      private boolean keepsBeginning(String form, String image, int at, int start, int path) {
        if (start > 0) return at > start || image.startsWith("/", start);
        if (path == 0) return image.startsWith("/");
        for (int gone = at; gone < Math.min(at + from.length(), path); gone++)
          if (isRun(form.charAt(gone))) return image.startsWith("/") || schemeEnd(image) > 0;
        if (!image.regionMatches(0, form, 0, path)) return false;
        return image.length() == path || image.charAt(path) == '/' || image.charAt(path) == '?';
      }

      private boolean stands(String form, int start, int at, String part) {
        int stop = at + part.length();
        if (at < start || stop > form.length() || !form.startsWith(part, at)) return false;
        if ((atStart && at != start) || (atEnd && stop != form.length())) return false;
        return isCut(form, start, at) && isCut(form, start, stop);
      }
    }

    /** Removes a parameter, or sets it to one value or to no value. */
    private static final class Parameter extends Rule {
      private final String scope;
      private final String path;
      private final String name;
      /** Null to remove the parameter. */
      private final String put;

      Parameter(String[] line) {
        super(line, 7);
        scope = line[2];
        path = line[3];
        name = line[5];
        put = line[4].equals("remove") ? null : line[4].equals("bare") ? name : name + "=" + line[6];
      }

      @Override
      String needed() {
        return name;
      }

      @Override
      String image(String form) {
        if (!mayHave(form) || !isThere(form)) return form;
        int start = pathStart(form);
        int question = queryStart(form, start);
        // The new field is written in place of the first field of that name.
        boolean isLeft = put != null;
        String before = form.substring(start, question);
        StringBuilder out = new StringBuilder(form.substring(0, start));
        int done = 0;
        Matcher field = PATH_FIELD.matcher(before);
        while (field.find()) {
          if (!field.group(1).equals(name)) continue;
          out.append(before, done, field.start());
          if (isLeft) out.append(';').append(put);
          isLeft = false;
          done = field.end();
        }
        out.append(before, done, before.length());
        if (question < form.length()) out.append(editQuery(form.substring(question + 1), isLeft));
        return out.toString();
      }

      /** A quick test: false only if no field has this name. */
      private boolean mayHave(String form) {
        for (int at = form.indexOf(name, 1); at > 0; at = form.indexOf(name, at + 1)) {
          int end = at + name.length();
          boolean ends = end == form.length() || "=&;".indexOf(form.charAt(end)) >= 0;
          if (ends && "?&;".indexOf(form.charAt(at - 1)) >= 0) return true;
        }
        return false;
      }

      private String editQuery(String query, boolean isLeft) {
        if (isBare(query) || name.isEmpty()) return "?" + query;
        List<String> fields = split(query);
        boolean drops = false;
        boolean changes = false;
        for (int at = 0; at < fields.size(); at++) {
          String field = fields.get(at);
          if (!nameOf(field).equals(name)) continue;
          changes = true;
          drops = drops || !isLeft;
          fields.set(at, isLeft ? field.charAt(0) + put : "");
          isLeft = false;
        }
        if (!changes) return "?" + query;
        if (drops) fields.removeIf(field -> field.length() < 2);
        return join(fields);
      }

      private boolean isThere(String form) {
        if (scope.equals("site")) return true;
        int start = pathStart(form);
        if (path.startsWith("//")) {
          if (schemeEnd(form) == 0) return false;
          start = schemeEnd(form) - 2;
        }
        if (!form.startsWith(path, start)) return false;
        int end = start + path.length();
        return scope.equals("prefix") || end == form.length() || form.charAt(end) == ';' || form.charAt(end) == '?';
      }
    }

    private static final String SIGNS = "!$'()*,:@";
    private static final String JUNK = "\"'\140,;\\<>()[]{} \t\n\r";
    private static final String CLOSING = ")]}>";
    private static final String OPENING = "([{<";
    private static final Pattern SLASHES = Pattern.compile("//+");
    private static final Pattern END = Pattern.compile("/+((?:;[^/]*)?)\\z");
    private static final Pattern NAME = Pattern.compile("(/[^/;.]+)((?:;[^/]*)?)\\z");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** A step of normalization. */
    private static final class Step extends Rule {
      private final String step;
      private final String text;
      private final Pattern segment;

      Step(String[] line) {
        super(line, 4);
        step = line[2];
        text = line[3];
        segment = Pattern.compile("/" + Pattern.quote(text) + "(?=[/;]|\\z)");
      }

      @Override
      String needed() {
        return step.equals("drop-segment") || step.equals("drop-last-segment") ? "/" + text : text;
      }

      @Override
      String image(String form) {
        int start = pathStart(form);
        int question = queryStart(form, start);
        if (!mayTouch(form, start, question)) return form;
        String head = form.substring(0, start);
        String path = form.substring(start, question);
        String query = form.substring(question);
        switch (step) {
          case "fold-slashes":
            return head + SLASHES.matcher(path).replaceAll("/") + query;
          case "drop-end-slash":
            return head + dropEndSlash(path) + query;
          case "add-end-slash":
            return head + NAME.matcher(path).replaceAll("$1/$2") + query;
          case "drop-segment":
            return head + dropSegment(path) + query;
          case "drop-last-segment":
            return head + dropLastSegment(path) + query;
          case "lower-case":
            return head + (text.isEmpty() ? lower(path) + query : lowerFields(path, query));
          case "drop-empty-fields":
          case "drop-number-fields":
          case "drop-repeated-fields":
            return head + path + without(query);
          case "sort-fields":
            return head + path + sorted(query);
          case "sort-values":
            return head + path + sortedValues(query);
          case "one-separator":
            return head + path + query.replace(';', '&');
          case "unescape":
            return head + bare(path + query);
          default:
            return head + trimmed(path + query);
        }
      }

      /** A fast check that is false for most forms. */
      private boolean mayTouch(String form, int start, int question) {
        switch (step) {
          case "fold-slashes":
            return form.indexOf("//", start) >= 0;
          case "drop-empty-fields":
          case "drop-number-fields":
          case "drop-repeated-fields":
          case "sort-fields":
          case "sort-values":
          case "one-separator":
            return question < form.length();
          case "unescape":
            return form.indexOf('%', start) >= 0;
          case "trim-end":
            char end = form.charAt(form.length() - 1);
            return !isRun(end) || isHex(form, form.length() - 1);
          default:
            return true;
        }
      }

      private static String dropEndSlash(String path) {
        Matcher end = END.matcher(path);
        if (!end.find()) return path;
        String name = path.substring(path.lastIndexOf('/', end.start() - 1) + 1, end.start());
        return name.isEmpty() || name.startsWith(";") ? path : path.substring(0, end.start()) + end.group(1);
      }

      private String dropSegment(String path) {
        String shorter = segment.matcher(path).replaceAll("");
        return shorter.equals(path) || shorter.startsWith("/") ? shorter : "/" + shorter;
      }

      private String dropLastSegment(String path) {
        int slash = path.lastIndexOf('/');
        String last = path.substring(slash + 1);
        String name = before(last, ';');
        return slash >= 0 && name.equals(text) ? path.substring(0, slash + 1) + last.substring(name.length()) : path;
      }

      private String lowerFields(String path, String query) {
        StringBuilder out = new StringBuilder();
        Matcher field = PATH_FIELD.matcher(path);
        int done = 0;
        while (field.find()) {
          if (!field.group(1).equals(text)) continue;
          out.append(path, done, field.end(1)).append(lower(field.group().substring(text.length() + 1)));
          done = field.end();
        }
        out.append(path, done, path.length());
        if (query.isEmpty() || isBare(query.substring(1))) return out.append(query).toString();
        char sign = '?';
        for (String one : split(query.substring(1))) {
          out.append(sign == '?' ? sign : one.charAt(0));
          sign = '&';
          int value = text.length() + 1;
          out.append(nameOf(one).equals(text) ? text + lower(one.substring(value)) : one.substring(1));
        }
        return out.toString();
      }

      private String without(String query) {
        if (step.equals("drop-number-fields") && isBare(query.substring(1))) return query;
        Map<String, String> before = new HashMap<>();
        List<String> kept = new ArrayList<>();
        boolean drops = false;
        for (String field : split(query.substring(1))) {
          String content = field.substring(1);
          boolean isNew = content.isEmpty() || !content.equals(before.put(nameOf(field), content));
          if (goes(content, isNew)) drops = true;
          else if (!content.isEmpty()) kept.add(field);
        }
        return drops ? join(kept) : query;
      }

      private boolean goes(String field, boolean isNew) {
        if (step.equals("drop-repeated-fields")) return !field.isEmpty() && !isNew;
        if (step.equals("drop-number-fields")) return NUMBER.matcher(field).matches();
        return field.isEmpty() || field.indexOf('=') == field.length() - 1;
      }

      private static String sortedValues(String query) {
        if (query.isEmpty()) return query;
        List<String> fields = split(query.substring(1));
        Map<String, List<String>> values = new HashMap<>();
        for (String field : fields)
          values.computeIfAbsent(nameOf(field), name -> new ArrayList<>()).add(field.substring(1));
        for (List<String> some : values.values()) some.sort(null);
        StringBuilder out = new StringBuilder();
        for (String field : fields) out.append(field.charAt(0)).append(values.get(nameOf(field)).remove(0));
        return "?" + out.substring(1);
      }

      private static String sorted(String query) {
        List<String> fields = split(query.substring(1));
        for (String field : fields.subList(1, fields.size()))
          if (field.charAt(0) != fields.get(1).charAt(0)) return query;
        if (fields.size() == 1) return query;
        char separator = fields.get(1).charAt(0);
        fields.sort((a, b) -> nameOf(a).compareTo(nameOf(b)));
        StringBuilder out = new StringBuilder();
        for (String field : fields) out.append(separator).append(field, 1, field.length());
        return "?" + out.substring(1);
      }

      private static String bare(String text) {
        if (text.indexOf('%') < 0) return text;
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
          boolean isSign = isEscape(text, at) && SIGNS.indexOf((char) byteOf(text, at)) >= 0;
          out.append(isSign ? (char) byteOf(text, at) : text.charAt(at));
          if (isSign) at += 2;
        }
        return out.toString();
      }

      private static String trimmed(String text) {
        int end = text.length();
        for (int cut = end; ; end = cut) {
          while (cut > 1 && text.charAt(cut - 1) == '.') cut--;
          int start = cut >= 4 && isEscape(text, cut - 3) ? cut - 3 : cut - 1;
          if (start < 1 || !isJunk(text, start, cut)) return text.substring(0, end);
          cut = start;
        }
      }

      private static boolean isJunk(String text, int start, int end) {
        char sign = end - start == 3 ? (char) byteOf(text, start) : text.charAt(start);
        if (JUNK.indexOf(sign) < 0) return false;
        if (CLOSING.indexOf(sign) < 0) return true;
        char opening = OPENING.charAt(CLOSING.indexOf(sign));
        for (int at = 0; at < start; at++) {
          if (text.charAt(at) == opening) return false;
          if (at + 2 < start && isEscape(text, at) && byteOf(text, at) == opening) return false;
        }
        return true;
      }
    }

    /** Sorts the items of lists, or drops repeated ones. */
    private static final class Items extends Rule {
      private final boolean drops;
      private final boolean isRepeated;
      private final char separator;
      private final Pattern separators;
      private final Set<String> heads = new HashSet<>();
      private final String key;
      private final Pattern inPath;
      private final Pattern inQuery;

      Items(String[] line) {
        super(line, 4);
        drops = line[2].equals("drop-repeated-items");
        String[] words = line[3].split(" ");
        separator = words[1].charAt(0);
        for (int at = 2; at < words.length; at++) heads.add(unescaped(words[at]));
        boolean isField = words[0].startsWith("?");
        boolean isBelow = !isField && separator == '/';
        isRepeated = isField && separator == '&';
        // An escaped slash does not end a segment.
        String escape = isBelow ? "" : "|%" + Integer.toHexString(separator);
        separators = Pattern.compile("[" + separator + "]" + escape, Pattern.CASE_INSENSITIVE);
        String name = isBelow ? words[0] : words[0].substring(1, words[0].length() - (isField ? 0 : 1));
        key = name.split("(?<=\\[|%5[bB])", 2)[0];
        String named = patternOf(name);
        String path = isField ? "(;" + named + "=)([^;/]+)" : isBelow ? "^(" + named + ")(.*[^/])" : "(/" + named + "/)([^/]+)";
        String value = isRepeated ? ")(=[^&;]*|(?![^&;]))" : "=)([^&;]+)";
        inPath = isRepeated ? null : Pattern.compile(path, Pattern.DOTALL);
        inQuery = isField ? Pattern.compile("((?:^\\?|[&;])" + named + value) : null;
      }

      /** The name, with any number after a bracket. */
      private static String patternOf(String name) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < name.length(); at++) {
          out.append(String.format("\\x%02x", (int) name.charAt(at)));
          boolean opens = name.charAt(at) == '[' || (at >= 2 && name.regionMatches(true, at - 2, "%5b", 0, 3));
          boolean hasNumber = at + 1 < name.length() && Character.digit(name.charAt(at + 1), 10) >= 0;
          if (opens && !hasNumber) out.append("[0-9]*");
        }
        return out.toString();
      }

      @Override
      String needed() {
        return key;
      }

      @Override
      String image(String form) {
        int start = pathStart(form);
        int question = queryStart(form, start);
        String path = changed(form.substring(start, question), inPath);
        String query = form.substring(question);
        return form.substring(0, start) + path + (isRepeated ? repeated(query) : changed(query, inQuery));
      }

      private String changed(String text, Pattern pattern) {
        if (pattern == null) return text;
        StringBuilder out = new StringBuilder();
        int done = 0;
        Matcher list = pattern.matcher(text);
        for (; list.find(); done = list.end()) out.append(text, done, list.start(2)).append(ofList(list.group(2)));
        return out.append(text, done, text.length()).toString();
      }

      private String repeated(String query) {
        List<String> values = new ArrayList<>();
        Matcher field = inQuery.matcher(query);
        while (field.find()) values.add(field.group(2));
        List<String> arranged = arranged(values);
        StringBuilder out = new StringBuilder();
        int done = 0;
        int at = 0;
        field.reset();
        for (; field.find(); done = field.end()) {
          String value = arranged.get(at++);
          out.append(query, done, field.start());
          if (value != null) out.append(field.group(1)).append(value);
        }
        return out.append(query, done, query.length()).toString();
      }

      private String ofList(String text) {
        if (separator != ';' && text.indexOf(';') >= 0) return text;
        List<String> marks = new ArrayList<>();
        List<String> items = new ArrayList<>();
        String other = "";
        String mark = "";
        Matcher next = separators.matcher(text);
        for (int at = 0; at >= 0; ) {
          boolean isLast = !next.find();
          String piece = text.substring(at, isLast ? text.length() : next.start());
          if (heads.isEmpty() && piece.isEmpty()) return text;
          if (heads.isEmpty() || heads.contains(unescaped(piece))) {
            marks.add(other + mark);
            items.add(piece);
            other = "";
          } else if (items.isEmpty()) other += mark + piece;
          else items.set(items.size() - 1, items.get(items.size() - 1) + mark + piece);
          mark = isLast ? "" : next.group();
          at = isLast ? -1 : next.end();
        }
        List<String> arranged = arranged(items);
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < marks.size(); at++)
          if (arranged.get(at) != null) out.append(marks.get(at)).append(arranged.get(at));
        return out.append(other).toString();
      }

      /** Sorts items; or puts null in place of repeated ones. */
      private List<String> arranged(List<String> items) {
        if (!drops) {
          items.sort(Items::compare);
          return items;
        }
        Set<String> seen = new HashSet<>();
        items.replaceAll(item -> seen.add(unescaped(item)) ? item : null);
        return items;
      }

      private static int compare(String one, String other) {
        int order = unescaped(one).compareTo(unescaped(other));
        return order != 0 ? order : one.compareTo(other);
      }

      private static String unescaped(String text) {
        if (text.indexOf('%') < 0) return text;
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
          boolean isEscape = isEscape(text, at);
          out.append(isEscape ? (char) byteOf(text, at) : text.charAt(at));
          if (isEscape) at += 2;
        }
        return out.toString();
      }
    }`;
