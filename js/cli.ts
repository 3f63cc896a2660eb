#!/usr/bin/env node
import './check-node.cjs';
import { readFileSync } from 'node:fs';
import { calibrateCommand } from './cli/calibrate.js';
import { clustersCommand } from './cli/clusters.js';
import { compareCommand } from './cli/compare.js';
import { dedupeCommand } from './cli/dedupe.js';
import { hashCommand } from './cli/hash.js';
import { type Command, helpOf, isCommand, mainHelp, optionNamesOf, shortHelp } from './cli/help.js';
import { indexCommand } from './cli/index-command.js';
import { Io } from './cli/io.js';
import { parse, UsageError, type Values } from './cli/options.js';
import { Output } from './cli/output.js';
import { processArguments } from './cli/path.js';
import { Terminal } from './cli/terminal.js';
import { textCommand } from './cli/text.js';
import { ArgumentError } from './index.js';
import { oneLine, shorten, UserError, WriteError } from './node/errors.js';
import { ThreadError } from './node/workers.js';

const commands: Record<Command, (values: Values, io: Io) => Promise<void>> = {
  dedupe: dedupeCommand,
  clusters: clustersCommand,
  calibrate: calibrateCommand,
  compare: compareCommand,
  hash: hashCommand,
  text: textCommand,
  index: indexCommand,
};

/** Returns the text for a command line that runs no command; undefined for another one. */
function textFor([command, about = '']: string[]): string | undefined {
  if (command === undefined) return shortHelp;
  if (['--help', '-h', 'help'].includes(command)) return isCommand(about) ? helpOf(about) : mainHelp;
  if (command !== '--version' && command !== '-V') return undefined;
  return `${JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).version}\n`;
}

async function run([command, ...args]: string[]): Promise<number> {
  if (!isCommand(command)) {
    const names = Object.keys(commands).join(', ');
    throw new UserError(`${shorten(command, 40)} is not a command (${names}); see nearprint --help`);
  }
  const values = parse(command, optionNamesOf(command), args);
  if (values.help) {
    await Output.stdout.write(helpOf(command));
    return 0;
  }
  const io = new Io(new Terminal(values));
  try {
    await commands[command](values, io);
  } catch (error) {
    if (!io.signal.aborted || error !== io.signal.reason) throw error;
  } finally {
    io.reportRejected();
    io.reportSkipped();
    io.progress.clear();
  }
  return io.exitCode;
}

function fail(error: unknown): number {
  if (error instanceof WriteError && error.isClosedPipe) return 0;
  const isUsage = error instanceof UsageError || (error instanceof ArgumentError && error.argument.startsWith('--'));
  const isExpected = isUsage || [UserError, WriteError, ThreadError].some((kind) => error instanceof kind);
  const { message, stack } = error as Error;
  const advice = isUsage ? `; see nearprint ${line[0]} --help` : '';
  const text = isExpected ? shorten(oneLine(message + advice), 2000) : (stack ?? String(error));
  process.stderr.write(`nearprint: ${text.replace(/^nearprint: /, '')}\n`);
  return 2;
}

const line = processArguments();
const text = textFor(line);
const ended = text === undefined ? run(line) : Output.stdout.write(text).then(() => 0);
const exitCode = await ended.catch(fail);
// `exit` would lose what waits for a slow reader of standard error.
if (process.stderr.writableLength > 0) await new Promise((done) => process.stderr.write('', done));
process.exit(exitCode);
