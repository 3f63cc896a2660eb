// A progress bar on the terminal: share, speed, remaining time.
import { count } from '../node/errors.js';

/** Formats a time in seconds: `4.2 s`, `3 min 7 s`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h} h ${m} min` : m > 0 ? `${m} min ${s} s` : `${s} s`;
}

/** The shortest time between two lines, in milliseconds. */
const MIN_INTERVAL = 100;

export class Progress {
  readonly #stream: { readonly columns: number; write(text: string): unknown } | null;
  readonly #began = performance.now();
  #drawn: number = this.#began;
  #isShown = false;
  read = 0;
  documents = 0;
  /** Bytes to read; null if unknown. */
  total: number | null = null;

  /** Draws on a terminal; nothing if `stream` is null. */
  constructor(stream: { readonly columns: number; write(text: string): unknown } | null) {
    this.#stream = stream;
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  get elapsed(): string {
    return duration(this.#seconds);
  }

  #line(columns: number): string {
    const seconds = this.#seconds;
    const rate = `${count(this.documents)} documents  ${count(this.documents / Math.max(seconds, 0.001))}/s`;
    if (!this.total) return `${rate}  ${duration(seconds)}`;
    const share = Math.min(this.read / this.total, 1);
    const left = share > 0 ? duration((seconds * (1 - share)) / share) : '?';
    const text = `${String(Math.floor(100 * share)).padStart(3)}%  ${rate}  ${left} left`;
    const width = Math.min(30, columns - text.length - 3);
    return width < 5 ? text : `[${'#'.repeat(Math.floor(share * width)).padEnd(width)}] ${text}`;
  }

  /** Draws the line, at most ten times a second; `text` instead of the state, if it is given. */
  update(text?: string): void {
    const now = performance.now();
    if (this.#stream === null || now - this.#drawn < MIN_INTERVAL) return;
    this.#drawn = now;
    this.#isShown = true;
    // Some terminals wrap when the last column is filled.
    const columns = (this.#stream.columns || 80) - 1;
    this.#stream.write(`\r${(text ?? this.#line(columns)).slice(0, columns)}\x1b[K`);
  }

  clear(): void {
    if (this.#isShown) this.#stream?.write('\r\x1b[K');
    this.#isShown = false;
  }
}
