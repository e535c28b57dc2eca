/** An error that the user can act on: it says what was got, what was expected and what to do. Never a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined for every other thrown value. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns what `work` returns, or undefined if a system call in it fails. Other errors are thrown. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
