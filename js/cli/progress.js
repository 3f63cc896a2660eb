// A progress bar on the terminal: share, speed, remaining time.

/** A number rounded, with commas. Not `toLocaleString`, whose first call loads the data of a locale. */
export const count = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');

export function duration(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h} h ${m} min` : m > 0 ? `${m} min ${s} s` : `${s} s`;
}

/** The line for `documents` done in `seconds`, with `read` bytes of `total` (null if unknown). */
export function progressLine({ read, total, documents, seconds, columns }) {
  const rate = `${count(documents)} documents  ${count(documents / Math.max(seconds, 0.001))}/s`;
  if (!total) return `${rate}  ${duration(seconds)}`.slice(0, columns);
  const share = Math.min(read / total, 1);
  const left = share > 0 ? duration((seconds * (1 - share)) / share) : '?';
  const text = `${Math.floor(100 * share)
    .toString()
    .padStart(3)}%  ${rate}  ${left} left`;
  const width = Math.min(30, columns - text.length - 3);
  if (width < 5) return text.slice(0, columns);
  return `[${'#'.repeat(Math.floor(share * width)).padEnd(width)}] ${text}`;
}

const INTERVAL = 100;

export class Progress {
  #stream;
  #began = performance.now();
  #drawn = this.#began;
  #isShown = false;
  read = 0;
  documents = 0;
  total = null;

  /** Draws nothing if `stream` is null. */
  constructor(stream) {
    this.#stream = stream;
  }

  get seconds() {
    return (performance.now() - this.#began) / 1000;
  }

  /** The elapsed time as text. */
  get elapsed() {
    return duration(this.seconds);
  }

  /** Draws the line, at most ten times a second; `text` instead of what is read, if it is given. */
  update(text) {
    const now = performance.now();
    if (this.#stream === null || now - this.#drawn < INTERVAL) return;
    this.#drawn = now;
    this.#isShown = true;
    // Some terminals wrap when the last column is filled.
    const columns = (this.#stream.columns || 80) - 1;
    const line = text?.slice(0, columns) ?? progressLine({ ...this, seconds: this.seconds, columns });
    this.#stream.write(`\r${line}\x1b[K`);
  }

  clear() {
    if (this.#isShown) this.#stream.write('\r\x1b[K');
    this.#isShown = false;
  }
}
