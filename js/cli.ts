#!/usr/bin/env node
// The command `nearprint`.
import './check-node.cjs';
import { readFileSync } from 'node:fs';
import { isCommand, parse } from './cli/args.js';
import { calibrate } from './cli/calibrate.js';
import { compare, hash, query } from './cli/commands.js';
import { dedupe } from './cli/dedupe.js';
import { oneLine, WriteError } from './cli/errors.js';
import { help } from './cli/help.js';
import { Io } from './cli/io.js';
import { Output } from './cli/output.js';
import { UserError } from './node/user-error.js';
import { ThreadError } from './node/workers.js';

const commands = { dedupe, calibrate, compare, hash, query };

function version() {
  return JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).version;
}

/** Runs a command line and returns the exit code. */
async function main([command, ...args]) {
  if (command === '--help' || command === '-h' || command === 'help') {
    const [about = 'main'] = args;
    await Output.stdout.write(help[about] ?? help.main);
    return 0;
  }
  if (command === '--version' || command === '-V') {
    await Output.stdout.write(`${version()}\n`);
    return 0;
  }
  if (!isCommand(command)) {
    const what = command === undefined ? 'no command' : `no such command: ${command}`;
    throw new UserError(`${what} (${Object.keys(commands).join(', ')}); see nearprint --help`);
  }
  let parsed;
  try {
    parsed = parse(command, args);
  } catch (error) {
    if (error instanceof UserError) error.message += `; see nearprint ${command} --help`;
    throw error;
  }
  if (parsed.help) {
    await Output.stdout.write(help[command]);
    return 0;
  }
  const { options, files } = parsed;
  const io = new Io(options);
  try {
    await commands[command](files.length > 0 ? files : ['-'], options, io);
  } finally {
    io.progress.clear();
  }
  return io.exitCode;
}

/** Reports an error and returns the exit code. */
function failed(error) {
  if (error instanceof WriteError && error.isClosedPipe) return 0;
  const isExpected = [UserError, WriteError, ThreadError].some((kind) => error instanceof kind);
  const message = isExpected ? oneLine(error.message) : `${error?.stack ?? error}`;
  process.stderr.write(`nearprint: ${message.replace(/^nearprint: /, '')}\n`);
  return 2;
}

const exitCode = await main(process.argv.slice(2)).catch(failed);
// `exit` would lose what waits for a slow reader of standard error.
if (process.stderr.writableLength > 0) await new Promise((done) => process.stderr.write('', done));
process.exit(exitCode);
