// Checks the messages of the latest commits: CONTRIBUTING.md describes their form.
import { spawnSync } from 'node:child_process';
import { fail, root } from './run.mjs';

const latest = 30;
const longestSubject = 72;
const withPart = /^[a-z][a-z0-9 ,./-]*: \S/i;

/** Returns the fault of the message of a commit, or undefined. */
export function faultOfMessage(subject, body) {
  if (subject.length > longestSubject) return `the subject has ${subject.length} characters, at most ${longestSubject}`;
  if (!withPart.test(subject)) return 'the subject must begin with the part and a colon';
  if (body.trim() === '') return 'the message must have a body that says why';
}

/** Ends the script if the message of one of the latest commits is not as CONTRIBUTING.md says. A copy without Git has none. */
export function checkCommits() {
  const git = ['log', `-${latest}`, '--no-merges', '--format=%h%x00%s%x00%b', '-z'];
  const { status, stdout } = spawnSync('git', git, { cwd: root, encoding: 'utf8' });
  if (status !== 0) return;
  const fields = stdout.split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [commit, subject, body] = fields.slice(at, at + 3);
    const fault = faultOfMessage(subject, body);
    if (fault) fail(`commit ${commit}, "${subject}": ${fault}`);
  }
}
