// Counts the steps of JavaScript, which repeat on a busy machine. A test that counts imports this module first, since V8
// counts the blocks only of functions that it compiles later.
import { Session } from 'node:inspector';

const session = new Session();
session.connect();

/** Sends a command to the profiler of V8, which answers before `post` returns. */
function send(command, parameters) {
  let answer;
  session.post(`Profiler.${command}`, parameters, (error, result) => {
    if (error) throw new Error(`${command}: ${error.message}`);
    answer = result;
  });
  return answer;
}

send('enable');
send('startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Returns the number of blocks (function bodies, branches, bodies of loops) that run during a call. Work inside functions of
 * the language, such as regular expressions, is not counted.
 */
export function stepsOf(call) {
  // This sets the counts to zero.
  send('takePreciseCoverage');
  call();
  let steps = 0;
  for (const { functions } of send('takePreciseCoverage').result)
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  return steps;
}
