// Times of work in this process, and their median.

/** Returns the median; of an even number of values, the larger of the two in the middle. */
export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Runs something, and returns the milliseconds that it takes. */
export function time(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Returns the processor time of all threads of this process so far, in microseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
