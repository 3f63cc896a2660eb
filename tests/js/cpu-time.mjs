// Bounds of time that hold on a busy machine.

/** Returns the seconds of processor time that the process uses during a call, in all threads. */
export function secondsOf(call) {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
