// State that all inputs of a command share: standard error, the exit code, and signals.
import { oneLine, shorten } from '../node/errors.js';
import { Progress } from './progress.js';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export class Terminal {
  readonly #controller = new AbortController();
  readonly #quiet: boolean;
  readonly signal: AbortSignal = this.#controller.signal;
  exitCode = 0;

  constructor({ quiet = false }: { quiet?: boolean } = {}) {
    this.#quiet = quiet;
    for (const [name, exitCode] of Object.entries(exitCodes)) {
      // Once: a second signal has its default action and ends the process.
      process.once(name, () => {
        if (!this.signal.aborted) this.exitCode = exitCode;
        this.#controller.abort();
      });
    }
    process.stderr.on('error', () => {});
  }

  newProgress(): Progress {
    return new Progress(process.stderr.isTTY && !this.#quiet ? process.stderr : null);
  }

  say(message: string): void {
    process.stderr.write(`nearprint: ${shorten(oneLine(message), 2000)}\n`);
  }

  /** Writes information, unless --quiet is given. */
  note(message: string): void {
    if (!this.#quiet) this.say(message);
  }
}
