// Sketches of texts.
//
// Code of the caller (an iterator, a getter) runs before the exchange is written: it may call the same sketcher.
import type { Sketcher as Binding, SketchStream as StreamBinding } from '../../build/wasm/dedupe/dedupe.js';
import { dedupeExchange as exchange, dedupeModule as module } from '../boot/dedupe.js';
import { checkIterable, checkOptions, checkText } from '../common/check.js';
import { ChunkFeed } from '../common/chunk-feed.js';
import { defineDispose, type dispose } from '../common/dispose.js';
import { PIECE, textKind } from '../common/exchange.js';
import { defineInspection } from '../common/inspection.js';
import { keyOf, nameWithKey } from '../common/key.js';
import { Shared } from '../common/shared.js';
import { Stateless } from '../common/stateless.js';
import { textKey } from '../common/text-key.js';
import type { Text } from '../common/types.js';
import { type Comparison, readComparison } from './comparison.js';
import { type FeatureSet, readFeatures } from './feature-set.js';
import { type SketchOptions, sketchOptions, sketchSchemeId } from './scheme.js';
import { type ScopeOptions, scopeOf } from './scope.js';
import { readSketch, Sketch } from './sketch.js';

type Bindings = ReturnType<typeof module>['bindings'];

/**
 * Makes sketches of one scheme. Methods do the same as functions of the same name, without the options of the scheme.
 *
 * @example
 * ```js
 * const sketcher = new Sketcher({ features: { chars: 5 } });
 * sketcher.id; // 's1:chars5'
 * sketcher.sketch('Good news').scheme; // 's1:chars5'
 * ```
 */
export class Sketcher {
  /** See {@link Sketcher.free}. */
  declare readonly [dispose]: () => void;

  readonly #id: string;
  readonly #binding: Stateless<Bindings, Binding>;

  constructor(options?: SketchOptions) {
    defineDispose(new.target.prototype);
    defineInspection<Sketcher>(new.target.prototype, 'id');
    const scheme = sketchSchemeId(options);
    const key = keyOf(options);
    this.#binding = new Stateless(module, ({ Sketcher }) => new Sketcher(scheme, key));
    this.#id = this.#binding.current.scheme;
  }

  /** The id of the scheme, such as `'s1'`. It is stable: store it with the sketches. */
  get id(): string {
    return this.#id;
  }

  /** See {@link sketch}. */
  sketch(text: Text, options?: ScopeOptions): Sketch {
    const scope = scopeOf(options);
    return readSketch(this.write(checkText(text), scope));
  }

  /** See {@link sketchAll}. */
  sketchAll(texts: Iterable<Text>, options?: ScopeOptions): Sketch[] {
    const scope = scopeOf(options);
    checkIterable(texts, 'texts', 'an iterable of texts');
    const sketches: Sketch[] = [];
    for (const text of texts) {
      sketches.push(readSketch(this.write(checkText(text, `texts[${sketches.length}]`), scope)));
    }
    return sketches;
  }

  /** Its object in the module, for a call that makes a sketch itself. @internal */
  get handle(): Binding {
    return this.#binding.current;
  }

  /** Writes the sketch of a text to the exchange, and returns its length. @internal */
  write(text: Text, scope: string): number {
    const binding = this.#binding.current;
    if (text.length > PIECE) return this.#writeInPieces(text, scope);
    const length = exchange().writePiece(text);
    return binding.sketch(length, textKind(text), exchange().writeScope(length, scope));
  }

  #writeInPieces(text: Text, scope: string): number {
    const stream = this.#stream(scope).update(text);
    try {
      return exchange().write(stream.sketch().view);
    } finally {
      stream.free();
    }
  }

  /** Returns a stream, which makes the sketch of a text in chunks. */
  stream(options?: ScopeOptions): SketchStream {
    return this.#stream(scopeOf(options));
  }

  #stream(scope: string): SketchStream {
    const binding = this.#binding.current;
    return new SketchStream(new (module().bindings.SketchStream)(binding, exchange().writeScope(0, scope)));
  }

  /** See {@link compare}. */
  compare(a: Text, b: Text): Comparison {
    a = checkText(a, 'a');
    b = checkText(b, 'b');
    const resemblance = this.sketch(a).resemblance(this.sketch(b));
    const names = this.#binding.current.compare(...exchange().writeTexts(a, b), textKey());
    return { scheme: this.#id, resemblance, ...readComparison(exchange(), names) };
  }

  /** Returns the features that decide the resemblance of a text, valid until the next call. @internal */
  featureSet(text: Text, scope: string): FeatureSet {
    const binding = this.#binding.current;
    const length = exchange().writeEncoded(text);
    return readFeatures(exchange(), binding.featureSet(length, exchange().writeScope(length, scope), textKey()));
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. Every later call of another method throws an `Error`. */
  free(): void {
    this.#binding.free();
  }
}

/**
 * Makes the sketch of a text in chunks. Chunk borders change nothing, even inside a character.
 *
 * @example
 * ```js
 * const stream = new Sketcher().stream();
 * for (const chunk of ['Hello, wo', 'rld']) stream.update(chunk);
 * stream.sketch().equals(sketch('Hello, world')); // true
 * ```
 */
export class SketchStream {
  /** See {@link SketchStream.free}. */
  declare readonly [dispose]: () => void;

  readonly #stream: StreamBinding;
  readonly #chunks: ChunkFeed;

  /** @internal */
  constructor(stream: StreamBinding) {
    defineDispose(new.target.prototype);
    this.#stream = stream;
    this.#chunks = new ChunkFeed(stream, exchange(), () => this.free());
  }

  /**
   * Adds the next chunk. O(length of the chunk).
   *
   * @throws RangeError: there is not enough memory; this frees the stream, which may have read a part of the chunk
   */
  update(chunk: Text): this {
    this.#chunks.add(chunk);
    return this;
  }

  /** Returns the sketch of the text so far. More chunks may follow. O(1). */
  sketch(): Sketch {
    return Sketch.of(this.#stream.sketch());
  }

  /** See {@link Sketcher.free}. */
  free(): void {
    module().free(this.#stream);
  }
}

const shared = new Shared<Sketcher>();

/** Returns the sketcher with these options that the plain functions share. @internal */
export const sharedSketcher = (options?: SketchOptions): Sketcher =>
  shared.get(nameWithKey(sketchSchemeId(options), options), () => new Sketcher(options));

function withScope(options: (SketchOptions & ScopeOptions) | undefined): [Sketcher, ScopeOptions | undefined] {
  if (options === undefined) return [sharedSketcher(), options];
  const { scope, ...scheme } = checkOptions(options, [...sketchOptions, 'scope']);
  return [sharedSketcher(scheme), { scope }];
}

/**
 * Returns the sketch of a text. O(length of the text).
 *
 * @example
 * ```js
 * sketch('Hello, world').equals(sketch('HELLO world!')); // true
 * sketch('Hello, world', { scope: 'a' }).equals(sketch('Hello, world', { scope: 'b' })); // false
 * ```
 */
export const sketch = (text: Text, options?: SketchOptions & ScopeOptions): Sketch => {
  const [sketcher, scope] = withScope(options);
  return sketcher.sketch(text, scope);
};

/**
 * Returns the sketches of many texts in their order. O(total length).
 *
 * @example
 * ```js
 * sketchAll(['Hello, world', 'Hello, word']).length; // 2
 * ```
 */
export const sketchAll = (texts: Iterable<Text>, options?: SketchOptions & ScopeOptions): Sketch[] => {
  const [sketcher, scope] = withScope(options);
  return sketcher.sketchAll(texts, scope);
};

/**
 * Returns the estimated resemblance of two texts, from 0 to 1. O(1) for sketches; a text is sketched first.
 *
 * It is the share of word pairs in common: the number of different word pairs that both texts have, divided by the number
 * that either has (the Jaccard resemblance). In scripts written without spaces, and for numbers, it counts pairs and triples
 * of words, which are mostly characters. With other `features`, it counts the shingles. Case, accents, apostrophes and words
 * broken at line ends make no difference.
 *
 * Near a resemblance of 0.7, the standard error is 0.02 for texts of up to 400 word pairs, and at most 0.04 for longer ones.
 * Below 0.5 it is larger. Texts of at most 40 word pairs are compared almost exactly. Between two short texts the resemblance
 * is exact: 1 if they are equal, else 0. For a short text and a longer one it is 0, and for a blank text too.
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
 * resemblance(text, text.replace('closed', 'open')) > 0.7; // true
 * ```
 * @param options - the scheme of two texts. If one of them is a sketch, the text is sketched in its scheme, and only `key` has an
 * effect.
 * @throws {@link ArgumentError}: an argument is neither a text nor a `Sketch`, the sketches are of different schemes, or an
 * option is wrong
 */
export function resemblance(a: Text | Sketch, b: Text | Sketch, options?: SketchOptions): number {
  const [first, second] = sketchBoth(a, b, options);
  return first.resemblance(second);
}

/** Returns the sketches of two documents, texts by the scheme of the other one if that is a sketch. @internal */
export function sketchBoth(a: Text | Sketch, b: Text | Sketch, options?: SketchOptions): [Sketch, Sketch] {
  const sketchOf = (document: Text | Sketch, argument: string, other: Text | Sketch) => {
    if (document instanceof Sketch) return document;
    checkText(document, argument);
    const scheme = other instanceof Sketch ? { scheme: other.scheme, key: options?.key } : options;
    return sharedSketcher(scheme).sketch(document);
  };
  return [sketchOf(a, 'a', b), sketchOf(b, 'b', a)];
}

/**
 * Compares two texts exactly. O(n log n) for n features.
 *
 * @example
 * ```js
 * const { exactResemblance, containment, shared, onlyB } = compare('a red house', 'a red house and a garden');
 * [exactResemblance, containment.a, containment.b]; // [0.4, 1, 0.4]
 * shared.map(({ feature }) => feature); // ['a', 'red', 'a red', 'house', 'red house']
 * onlyB.map(({ feature }) => feature); // ['and', 'house and', 'and a', 'garden', 'a garden']
 * ```
 */
export const compare = (a: Text, b: Text, options?: SketchOptions): Comparison => sharedSketcher(options).compare(a, b);
