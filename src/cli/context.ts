/** What a command leaves for `main`: the code that the process ends with (SPEC 13). 0 until a command says otherwise. */
export interface Outcome {
  exitCode: number;
}
