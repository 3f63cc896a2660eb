// Bounds of time that hold on a busy machine.

/** The seconds that the processor has worked for a call: the time of the clock depends on what else runs. */
export function secondsOf(call) {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
