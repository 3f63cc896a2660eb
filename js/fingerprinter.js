import { wrongType } from './check.js';
import { core } from './core.js';
import { schemeId } from './scheme.js';
import { checkText, fingerprintText, isHighSurrogate, updateText } from './text.js';

export class Fingerprinter {
  #engine;
  #id;
  #bits;

  constructor(options) {
    this.#id = schemeId(options);
    this.#engine = new (core().bindings.Engine)(this.#id);
    this.#bits = Number(this.#id.split(':')[1]);
  }

  get id() {
    return this.#id;
  }

  get bits() {
    return this.#bits;
  }

  fingerprint(text) {
    return this.#whole(fingerprintText(this.#engine, text));
  }

  fingerprintAll(texts) {
    if (typeof texts === 'string' || typeof texts?.[Symbol.iterator] !== 'function') {
      throw wrongType('texts', 'an iterable of texts', texts);
    }
    const lows = [];
    for (const text of texts) {
      lows.push(fingerprintText(this.#engine, text));
      if (this.#bits === 128) lows.push(this.#engine.high());
    }
    return this.#bits === 32 ? Uint32Array.from(lows, Number) : BigUint64Array.from(lows);
  }

  stream() {
    const engine = new (core().bindings.Engine)(this.#id);
    return new Stream(engine, this.#bits);
  }

  /** The fingerprint whose low half the engine has just told. */
  #whole(low) {
    return this.#bits === 128 ? (this.#engine.high() << 64n) | low : low;
  }
}

/** A fingerprint of a text that comes in chunks. */
class Stream {
  #engine;
  #bits;
  /** A high surrogate whose other half has not come yet. */
  #half = '';

  constructor(engine, bits) {
    this.#engine = engine;
    this.#bits = bits;
  }

  update(chunk) {
    checkText(chunk, 'chunk');
    if (chunk.length === 0) return this;
    if (typeof chunk === 'string') {
      chunk = this.#half + chunk;
      const ends = isHighSurrogate(chunk.charCodeAt(chunk.length - 1));
      this.#half = ends ? chunk.slice(-1) : '';
      if (ends) chunk = chunk.slice(0, -1);
    } else {
      this.#flush();
    }
    updateText(this.#engine, chunk);
    return this;
  }

  digest() {
    this.#flush();
    const low = this.#engine.digest();
    return this.#bits === 128 ? (this.#engine.high() << 64n) | low : low;
  }

  #flush() {
    updateText(this.#engine, this.#half);
    this.#half = '';
  }
}

const shared = new Map();

/** The fingerprinter of these options that the plain functions share. */
export function sharedFingerprinter(options) {
  const id = schemeId(options);
  let fingerprinter = shared.get(id);
  if (!fingerprinter) {
    fingerprinter = new Fingerprinter(options);
    shared.set(id, fingerprinter);
  }
  return fingerprinter;
}

export const fingerprint = (text, options) => sharedFingerprinter(options).fingerprint(text);

export const fingerprintAll = (texts, options) => sharedFingerprinter(options).fingerprintAll(texts);
