// Rules as a Java class without dependencies. It is also a program, which reads URLs from lines and prints their forms.
import { writeClass } from './source.js';
import type { ExportRequest, Exported, Target } from '../target.js';

const usage = `Save it as CanonicalUrls.java, and call CanonicalUrls.canonize(url), from any number of threads. It
only needs Java 8 or later. As a program (Java 11 or later), line by line:

    java CanonicalUrls.java < urls.txt > forms.txt`;

const members = `
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
  usage,
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
      members,
      usage,
    }),
};
