// Phase 1 in SQL on DuckDB, as a process: node duckdb.js FORM INPUT.tsv OUTPUT.tsv THREADS
//
//   ids    tokens, first parts, last parts and envelopes as 64-bit hashes, parts of one URL left out: its best form
//          (for URLs of at most 255 tokens)
//   text   first part, last part and substring as text: what one writes first
//
// Both give the rows of `mine --stage pairs --tsv`, in no order. A table goes as soon as the next has been made of it.
// Pairs with fewer than MS instances go before URL pairs are distinguished, which takes a quarter of the time off.
import { DuckDBInstance } from '@duckdb/node-api';
import { totalmem } from 'node:os';

const S = 35;
const T_LOW = 6;
const T_HIGH = 11;
const MS = 3;

/** START and END as bytes that sort before all others. */
const URLS = (input: string) => `
  CREATE TABLE urls AS
  SELECT (row_number() OVER ())::INTEGER AS u, lo, hi, t, list_transform(t, lambda token: hash(token)) AS ids
  FROM (SELECT min(size) AS lo, max(size) AS hi,
               ['\u0001'] || regexp_extract_all(url, '[A-Za-z0-9\\x80-\\xff]+|.') || ['\u0002'] AS t
        FROM read_csv('${input}', delim = '\t', header = true, quote = '', columns = {'url': 'VARCHAR', 'size': 'INTEGER'})
        GROUP BY url)`;

/**
 * Ends with a table of instances: pairs of URLs in a bucket of n, where they differ, and a ≤ b that stand for α and β.
 */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  ids: [
    'CREATE TABLE firsts AS SELECT u, i, hash(ids[:i]) AS h FROM urls, (SELECT unnest(range(0, len(ids) + 1)) AS i)',
    'CREATE TABLE lasts AS SELECT u, j, hash(ids[j + 1:]) AS h FROM urls, (SELECT unnest(range(0, len(ids) + 1)) AS j)',
    `CREATE TABLE envelopes AS
     SELECT hash(p.h, s.h) AS h, u, i::UTINYINT AS i, j::UTINYINT AS j
     FROM (FROM firsts SEMI JOIN (SELECT h FROM firsts GROUP BY h HAVING count(*) > 1) USING (h)) p
     JOIN (FROM lasts SEMI JOIN (SELECT h FROM lasts GROUP BY h HAVING count(*) > 1) USING (h)) s USING (u)
     WHERE j >= i AND j - i <= ${S}`,
    'DROP TABLE firsts',
    'DROP TABLE lasts',
    `CREATE TABLE buckets AS
     SELECT h, n, u, i, j, hash(ids[i + 1:j]) AS inside, lo, hi
     FROM envelopes JOIN urls USING (u)
     JOIN (SELECT h, count(*) AS n FROM envelopes GROUP BY h HAVING n BETWEEN 2 AND ${T_HIGH}) USING (h)`,
    'DROP TABLE envelopes',
    `CREATE TABLE instances AS
     SELECT least(x.inside, y.inside) AS a, greatest(x.inside, y.inside) AS b, x.u AS ua, y.u AS ub,
            x.i AS i, x.j AS ja, y.j AS jb, x.n AS n, x.lo <= y.hi AND y.lo <= x.hi AS alike
     FROM buckets x JOIN buckets y ON x.h = y.h AND x.u < y.u`,
    'DROP TABLE buckets',
  ],
  text: [
    `CREATE TABLE substrings AS
     SELECT array_to_string(t[:i], '') AS prefix, array_to_string(t[j + 1:], '') AS suffix,
            array_to_string(t[i + 1:j], '') AS inside, u, i, j, lo, hi
     FROM urls, (SELECT unnest(range(0, len(t) + 1)) AS i), (SELECT unnest(range(0, len(t) + 1)) AS j)
     WHERE j >= i AND j - i <= ${S}`,
    `CREATE TABLE buckets AS
     SELECT count(*) AS n, list({u: u, i: i, j: j, inside: inside, lo: lo, hi: hi}) AS members
     FROM substrings GROUP BY prefix, suffix HAVING n BETWEEN 2 AND ${T_HIGH}`,
    `CREATE TABLE instances AS
     SELECT least(x.inside, y.inside) AS a, greatest(x.inside, y.inside) AS b, x.u AS ua, y.u AS ub,
            x.i AS i, x.j AS ja, y.j AS jb, n, x.lo <= y.hi AND y.lo <= x.hi AS alike
     FROM (SELECT unnest(members) AS x, members, n FROM buckets), (SELECT unnest(members) AS y)
     WHERE x.u < y.u`,
  ],
};

/** Counts URL pairs of a pair once, and writes the sides so that α → β shrinks. */
const PAIRS = (output: string) => `
  COPY (
    WITH distinct_instances AS (
      SELECT a, b, ua, ub, alike, min(n) AS n, any_value({i: i, ja: ja, jb: jb}) AS spot
      FROM instances SEMI JOIN (SELECT a, b FROM instances GROUP BY a, b HAVING count(*) >= ${MS}) USING (a, b)
      GROUP BY a, b, ua, ub, alike
    ), pairs AS (
      SELECT any_value({ua: ua, ub: ub, i: spot.i, ja: spot.ja, jb: spot.jb}) AS of,
             count(*) FILTER (alike AND n <= ${T_LOW}) AS low, count(*) FILTER (alike) AS high,
             count(*) FILTER (NOT alike AND n <= ${T_LOW}) AS against
      FROM distinct_instances GROUP BY a, b HAVING low >= ${MS}
    ), sides AS (
      SELECT array_to_string(p.t[of.i + 1:of.ja], '') AS x, array_to_string(q.t[of.i + 1:of.jb], '') AS y,
             len(x) > len(y) OR (len(x) = len(y) AND x > y) AS shrinks, low, high, against
      FROM pairs JOIN urls p ON p.u = of.ua JOIN urls q ON q.u = of.ub
    )
    SELECT 'example.com', CASE WHEN starts_with(x, '\u0001') THEN CASE WHEN ends_with(x, '\u0002') THEN 'both' ELSE 'start' END
                               WHEN ends_with(x, '\u0002') THEN 'end' ELSE 'none' END,
           trim(CASE WHEN shrinks THEN x ELSE y END, '\u0001\u0002'), trim(CASE WHEN shrinks THEN y ELSE x END, '\u0001\u0002'),
           low, high, against
    FROM sides
  ) TO '${output}' (DELIMITER '\t', HEADER false, QUOTE '', ESCAPE '')`;

/** Leaves memory for the rest of the machine; what does not fit spills to disk beside the output. */
const MEMORY = `${Math.floor((0.7 * totalmem()) / 2 ** 20)}MiB`;

const [form, input, output, threads] = process.argv.slice(2) as [string, string, string, string];
const options = {
  threads,
  memory_limit: MEMORY,
  temp_directory: `${output}-spilled`,
  preserve_insertion_order: 'false',
};
const connection = await (await DuckDBInstance.create(':memory:', options)).connect();
for (const sql of [URLS(input), ...FORMS[form]!, PAIRS(output)]) await connection.run(sql);
