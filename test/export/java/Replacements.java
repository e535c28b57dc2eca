// Does what Nutch, StormCrawler and Heritrix do with the entries of an export, by their sources: for each folder named
// on the command line, reads urls.txt and the files of the three, and writes NAME.out.
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.*;

public class Replacements {
  record Entry(Pattern find, String put) {}

  public static void main(String[] folders) throws Exception {
    for (String name : folders) {
      Path folder = Path.of(name);
      List<String> urls = List.of(Files.readString(folder.resolve("urls.txt")).split("\n", -1));
      write(folder.resolve("nutch.out"), urls, nutch(folder.resolve("nutch.xml")), false);
      write(folder.resolve("stormcrawler.out"), urls, lines(folder.resolve("stormcrawler.txt")), false);
      write(folder.resolve("heritrix.out"), urls, heritrix(folder.resolve("heritrix.xml")), true);
    }
  }

  /** As RegexURLNormalizer reads its file: the first text of an element, none for one that is empty. */
  static List<Entry> nutch(Path file) throws Exception {
    List<Entry> entries = new ArrayList<>();
    NodeList list = root(file).getChildNodes();
    for (int i = 0; i < list.getLength(); i++) {
      if (!(list.item(i) instanceof Element regex)) continue;
      String find = null;
      String put = null;
      for (Node field = regex.getFirstChild(); field != null; field = field.getNextSibling()) {
        if (!(field instanceof Element element)) continue;
        String text = element.hasChildNodes() ? ((Text) element.getFirstChild()).getData() : "";
        if (element.getTagName().equals("pattern")) find = text;
        else put = text;
      }
      entries.add(new Entry(Pattern.compile(find), put));
    }
    return entries;
  }

  static List<Entry> heritrix(Path file) throws Exception {
    List<Entry> entries = new ArrayList<>();
    NodeList beans = root(file).getElementsByTagName("bean");
    for (int i = 1; i < beans.getLength(); i++) {
      NodeList properties = ((Element) beans.item(i)).getElementsByTagName("property");
      String find = ((Element) properties.item(0)).getAttribute("value");
      entries.add(new Entry(Pattern.compile(find), ((Element) properties.item(1)).getAttribute("value")));
    }
    return entries;
  }

  static Element root(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
  }

  /** Base64 of a pattern and of what is put, a pair a line: JSON is read elsewhere. */
  static List<Entry> lines(Path file) throws Exception {
    List<Entry> entries = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] pair = line.split(" ", -1);
      entries.add(new Entry(Pattern.compile(decode(pair[0])), decode(pair[1])));
    }
    return entries;
  }

  static String decode(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  static void write(Path file, List<String> urls, List<Entry> entries, boolean whole) throws Exception {
    List<String> forms = new ArrayList<>();
    for (String url : urls) {
      for (Entry entry : entries) url = whole ? once(entry, url) : entry.find.matcher(url).replaceAll(entry.put);
      forms.add(url);
    }
    Files.writeString(file, String.join("\n", forms));
  }

  /** As RegexRule of Heritrix does it. */
  static String once(Entry entry, String url) {
    Matcher matcher = entry.find.matcher(url);
    if (!matcher.matches()) return url;
    StringBuffer buffer = new StringBuffer();
    matcher.appendReplacement(buffer, entry.put);
    return buffer.toString();
  }
}
