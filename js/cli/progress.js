// A bar on the terminal: how far, how fast, how long still.

const count = (number) => Math.round(number).toLocaleString('en');

export function duration(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h} h ${m} min` : m > 0 ? `${m} min ${s} s` : `${s} s`;
}

/** The line that tells of `documents` done in `seconds`, `read` bytes of `total`, or of null if that is not known. */
export function progressLine({ read, total, documents, seconds, columns }) {
  const rate = `${count(documents)} documents  ${count(documents / Math.max(seconds, 0.001))}/s`;
  if (!total) return `${rate}  ${duration(seconds)}`.slice(0, columns);
  const share = Math.min(read / total, 1);
  const left = share > 0 ? duration((seconds * (1 - share)) / share) : '?';
  const told = `${Math.floor(100 * share)
    .toString()
    .padStart(3)}%  ${rate}  ${left} left`;
  const width = Math.min(30, columns - told.length - 3);
  if (width < 5) return told.slice(0, columns);
  return `[${'#'.repeat(Math.floor(share * width)).padEnd(width)}] ${told}`;
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

  /** How long it took. */
  get told() {
    return duration(this.seconds);
  }

  /** Draws, if it is time to. */
  update() {
    const now = performance.now();
    if (this.#stream === null || now - this.#drawn < INTERVAL) return;
    this.#drawn = now;
    this.#isShown = true;
    // One column stays free: some terminals wrap when the last one is filled.
    const columns = (this.#stream.columns || 80) - 1;
    this.#stream.write(`\r${progressLine({ ...this, seconds: this.seconds, columns })}\x1b[K`);
  }

  clear() {
    if (this.#isShown) this.#stream.write('\r\x1b[K');
    this.#isShown = false;
  }
}
