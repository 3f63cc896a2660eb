// Waits for the lock of an SQLite database.

/** How long a call waits for other processes, in milliseconds. */
const MAX_WAIT = 60_000;

/** Returns whether an error of SQLite states that another connection has the lock. */
export const isBusy = (error: unknown): boolean => /^database (?:\w+ )?is locked/.test((error as Error).message);

/** Repeats a call while another connection has the lock. The connection itself may wait for it too (PRAGMA busy_timeout). */
export async function whenFree<T>(call: () => T): Promise<T> {
  for (const end = performance.now() + MAX_WAIT; ; ) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
  }
}
