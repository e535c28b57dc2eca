// What a command, the driver in Python (spark-driver/driver.py) and the processes of Node in executors tell each other,
// whatever the job is.

/** What the driver is asked for; the rest of a job is for its tasks. */
export interface Task {
  readonly kind: string;
}

/** To the driver. */
export type DriverJob<T extends Task> = T & {
  readonly node: string;
  /** The root of this package. */
  readonly root: string;
  /** Where results are written: `done.json`, and what tasks say. */
  readonly folder: string;
};

/** `done.json`, once all is there. */
export interface DriverResult {
  readonly application: string;
  /** Where each process ran: executor, and what it did. */
  readonly ran: readonly { readonly task: string; readonly executor: string; readonly pid: number }[];
  /** Tasks that failed and were run again. */
  readonly failures: number;
  readonly shuffleBytes: number;
}

/** What a process took. */
export interface ProcessUse {
  readonly cpuMs: number;
  /** At most. */
  readonly memoryBytes: number;
}
