// How can one server include two exports? Variables belong to the whole server, so each export puts its name into the
// names of its variables:
//
//     $dustbuster_asked   →   $dustbuster_fix1_asked       DUSTBUSTER   →   DUSTBUSTER_FIX1
//
// Text of a URL is never renamed: its `$`, `{` and `%` are escaped, and Apache's assignments contain no comma of it. A
// comment that is changed stays a comment.
import type { ExportRequest } from '../target.js';

/** Renames the variables of an nginx file. */
export function nameVariables(lines: readonly string[], { name }: ExportRequest): readonly string[] {
  if (name === undefined) return lines;
  return lines.map((line) => line.replace(/(?<=\$\{?|\(\?<)dustbuster(?=\b|_)/g, `dustbuster_${name}`));
}

/** Renames the variables of an Apache file. */
export function nameEnvironment(lines: readonly string[], { name }: ExportRequest): readonly string[] {
  if (name === undefined) return lines;
  const own = `DUSTBUSTER_${name.toUpperCase()}`;
  return lines.map((line) =>
    line
      .replace(/(?<=%\{ENV:)DUSTBUSTER(?=[}_])/g, own)
      .replace(/(?<=^RewriteRule \^ - "\[E=|^RewriteRule .*,E=)DUSTBUSTER(?=[:_])/g, own),
  );
}
