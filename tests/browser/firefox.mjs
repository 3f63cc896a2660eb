// Firefox, driven by Marionette, the protocol that geckodriver speaks to it: messages `length:[...]` over TCP.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const firefoxPath = [
  process.env.FIREFOX,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
].find((path) => path && existsSync(path));

const PATIENCE = 90_000;

/** The port that Firefox writes into its profile once it listens. */
async function marionettePort(profile, child) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await setTimeout(100)) {
    if (child.exitCode !== null) throw new Error(`Firefox ended with code ${child.exitCode}`);
    const file = join(profile, 'MarionetteActivePort');
    if (existsSync(file) && readFileSync(file, 'utf8')) return Number(readFileSync(file, 'utf8'));
  }
  throw new Error('Firefox does not listen');
}

/** Resolves to `{ send(command, parameters), run(script), close() }`. */
export async function openFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'nearprint-firefox-'));
  // Any free port, and nothing fetched from elsewhere.
  const settings = {
    'marionette.port': 0,
    'app.update.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(firefoxPath, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const socket = connect(await marionettePort(profile, child), '127.0.0.1');
    const send = speak(socket);
    await send('WebDriver:NewSession', {});
    const run = async (script) => (await send('WebDriver:ExecuteScript', { script, args: [] })).value;
    const close = async () => {
      socket.destroy();
      await stop();
    };
    return { send, run, close };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns `send(command, parameters)`, which resolves to the answer. */
function speak(socket) {
  const waiting = new Map();
  let buffer = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const colon = buffer.indexOf(':');
      const length = Number(buffer.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || buffer.length < colon + 1 + length) return;
      const message = JSON.parse(buffer.subarray(colon + 1, colon + 1 + length).toString());
      buffer = buffer.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // the greeting
      const [, id, error, answer] = message;
      if (error) waiting.get(id).reject(new Error(`${error.error}: ${error.message}`));
      else waiting.get(id).resolve(answer);
      waiting.delete(id);
    }
  });
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      const message = Buffer.from(JSON.stringify([0, id, command, parameters]));
      socket.write(`${message.length}:`);
      socket.write(message);
    });
}
