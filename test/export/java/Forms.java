// What do the exported classes make of URLs? Arguments are folders: with rules.txt (a table of rules) and urls.txt,
// both with a char for each byte, it writes forms.txt; the last folder has URLs for what the crawlers call.
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.nutch.net.URLNormalizer;
import org.apache.nutch.net.URLNormalizers;
import org.apache.stormcrawler.filtering.URLFilter;
import org.archive.modules.canonicalize.CanonicalizationRule;

public class Forms {
  public static void main(String[] folders) throws Exception {
    int last = folders.length - 1;
    for (int at = 0; at < last; at++) {
      Path folder = Path.of(folders[at]);
      String table = Files.readString(folder.resolve("rules.txt"), StandardCharsets.ISO_8859_1);
      write(folder, "forms.txt", new CanonicalUrls.Canonizer(table)::canonizeBytes);
    }
    Path folder = Path.of(folders[last]);
    URLNormalizer nutch = new DustbusterURLNormalizer();
    write(folder, "nutch.txt", url -> normalize(nutch, url, URLNormalizers.SCOPE_OUTLINK));
    write(folder, "redirected.txt", url -> normalize(nutch, url, URLNormalizers.SCOPE_FETCHER));
    URLFilter stormcrawler = new DustbusterURLFilter();
    write(folder, "stormcrawler.txt", url -> text(url, one -> stormcrawler.filter(null, null, one)));
    CanonicalizationRule heritrix = new DustbusterRule();
    write(folder, "heritrix.txt", url -> text(url, heritrix::canonicalize));
    write(folder, "java.txt", url -> text(url, CanonicalUrls::canonize));
    if (!heritrix.getEnabled() || CanonicalUrls.canonize(null) != null) throw new AssertionError();
  }

  static String normalize(URLNormalizer nutch, String url, String scope) {
    return text(url, one -> {
      try {
        return nutch.normalize(one, scope);
      } catch (Exception error) {
        throw new IllegalStateException(error);
      }
    });
  }

  /** The programs have text. */
  static String text(String url, UnaryOperator<String> canonize) {
    String form = canonize.apply(new String(url.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    return new String(form.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  static void write(Path folder, String name, UnaryOperator<String> canonize) throws Exception {
    List<String> forms = new ArrayList<>();
    String urls = Files.readString(folder.resolve("urls.txt"), StandardCharsets.ISO_8859_1);
    for (String url : urls.split("\n", -1)) forms.add(canonize.apply(url));
    Files.writeString(folder.resolve(name), String.join("\n", forms), StandardCharsets.ISO_8859_1);
  }
}
