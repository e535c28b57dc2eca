/** What a command leaves for `main`: the code that the process ends with (SPEC 13). 0 until a command says otherwise. */
export interface Outcome {
  exitCode: number;
}

/** Where `mine` writes and `canonize` reads unless told otherwise, in the current folder. */
export const DEFAULT_RULES_FILE = 'dustbuster-rules.json';

/** Where `report` writes unless told otherwise. */
export const DEFAULT_REPORT_FILE = 'dustbuster-report.html';
