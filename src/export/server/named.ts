// How can two exports stand in one server? Variables are of the whole server, so each export gets a name in its own:
//
//     $dustbuster_asked   →   $dustbuster_fix1_asked       DUSTBUSTER   →   DUSTBUSTER_FIX1
//
// What a URL says is never taken for one: its `$`, `{` and `%` are escaped, a comma of it stands in no assignment of
// Apache, and a comment that is changed is still one.
import type { ExportRequest } from '../target.js';

/** For nginx. */
export function nameVariables(lines: readonly string[], { name }: ExportRequest): readonly string[] {
  if (name === undefined) return lines;
  return lines.map((line) => line.replace(/(?<=\$\{?|\(\?<)dustbuster(?=\b|_)/g, `dustbuster_${name}`));
}

/** For Apache. */
export function nameEnvironment(lines: readonly string[], { name }: ExportRequest): readonly string[] {
  if (name === undefined) return lines;
  const own = `DUSTBUSTER_${name.toUpperCase()}`;
  return lines.map((line) =>
    line
      .replace(/(?<=%\{ENV:)DUSTBUSTER(?=[}_])/g, own)
      .replace(/(?<=^RewriteRule \^ - "\[E=|^RewriteRule .*,E=)DUSTBUSTER(?=[:_])/g, own),
  );
}
