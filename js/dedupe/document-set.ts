// The documents of a set in memory. The module keeps them by number and decides (src/dedupe); this file maps the caller's ids to
// numbers, passes documents to the module, and ends them in time.
//
// Arguments are checked already. Times are in milliseconds since 1970, and durations NaN if they are not given.
import type { Deduplicator as Binding } from '../../build/wasm/dedupe/dedupe.js';
import { dedupeExchange as exchange, dedupeModule as module } from '../boot/dedupe.js';
import { outOfMemory, PIECE, textKind } from '../common/exchange.js';
import { Ids, type IdTable, NumberedIds } from '../common/ids.js';
import type { Id, Text } from '../common/types.js';
import { Sketch, writeSketch } from '../sketch/sketch.js';
import type { Sketcher } from '../sketch/sketcher.js';
import type { Cluster, Pair } from './cluster.js';
import type { Hit, Outcome } from './decision.js';
import type { Rule } from './decision-options.js';
import { COMPARE, DUPLICATE, hitIn, outcomeIn, ROW } from './decision-rows.js';
import type { ComparisonRequest } from './verify.js';

/** In place of the number of an id that was never kept. wasm/src/deduplicator.rs has the same. */
const UNKNOWN = 2 ** 32 - 1;

/** A batch of documents: their ids, the binary forms of their sketches, one after the other, and the position at which each ends. */
export interface SketchBatch<I> {
  ids: ArrayLike<I>;
  sketches: Uint8Array;
  ends: ArrayLike<number>;
}

export class DocumentSet<I extends Id = Id> {
  /** Called with the id of each document that has ended and is removed. */
  onEnd: ((id: I) => void) | undefined;

  readonly #binding: Binding;
  #ids: IdTable<I>;
  /** A time before which no document ends. */
  #nextExpiry: number;
  /** Whether a document was kept provisionally. */
  #hasLeases = false;
  /** Whether the set has drawn a salt, or was read with documents. */
  #isSalted: boolean;

  private constructor(binding: Binding, ids: IdTable<I>) {
    this.#binding = binding;
    this.#ids = ids;
    this.#nextExpiry = binding.nextExpiry;
    this.#isSalted = binding.size > 0;
  }

  /** Returns an empty set for sketches of a scheme. */
  static empty<I extends Id>(scheme: string): DocumentSet<I> {
    return new this<I>(new (module().bindings.Deduplicator)(scheme), new Ids());
  }

  /** Returns an empty set whose ids are numbers of 32 bits, which need no memory of their own. */
  static numbered(scheme: string): DocumentSet<number> {
    return new this<number>(new (module().bindings.Deduplicator)(scheme), new NumberedIds());
  }

  /** Returns the set of a snapshot. */
  static fromBytes<I extends Id>(bytes: Uint8Array): DocumentSet<I> {
    exchange().checkMemory(bytes.length, 'the snapshot');
    const binding = module().bindings.Deduplicator.fromBytes(bytes);
    try {
      return new this(binding, Ids.read<I>(binding.size, exchange()));
    } catch (error) {
      module().free(binding);
      throw error;
    }
  }

  toBytes(): Uint8Array {
    return this.#binding.toBytes(...this.#ids.write(this.#binding.ids(), exchange()));
  }

  get scheme(): string {
    return this.#binding.scheme;
  }

  get size(): number {
    return this.#binding.size;
  }

  get bytes(): number {
    return this.#binding.bytes;
  }

  free(): void {
    module().free(this.#binding);
  }

  /** Returns the id of the number of a kept document. */
  readonly idOf = (number: number): I => this.#ids.idOf(number);

  /** Decides on a text by a sketch that `sketcher` makes, in one call of the module. The rule has no lease. */
  observeText(sketcher: Sketcher, id: I, text: Text, scope: string, rule: Rule): Outcome<I> {
    const { handle } = sketcher;
    this.#prepare(rule.now);
    if (text.length > PIECE) return this.#observeWritten(id, sketcher.write(text, scope), rule);
    const length = exchange().writePiece(text);
    const scopeLength = exchange().writeScope(length, scope);
    const { minResemblance, now, expiresIn } = rule;
    const row = this.#decide(id, rule, (number) =>
      this.#binding.observeText(handle, number, length, textKind(text), scopeLength, minResemblance, now, expiresIn),
    );
    return outcomeIn(row, this.idOf);
  }

  observe(id: I, sketch: Sketch, rule: Rule): Outcome<I> {
    this.#prepare(rule.now);
    return this.#observeWritten(id, writeSketch(sketch), rule);
  }

  /** Observes the sketch in the exchange, of `length` bytes. */
  #observeWritten(id: I, length: number, rule: Rule): Outcome<I> {
    const row = this.#decide(id, rule, (number) =>
      this.#binding.observe(1, writeNumbers([number], [length], length), ...valuesOf(rule)),
    );
    return outcomeIn(row, this.idOf);
  }

  /**
   * Observes a sketch by the exact resemblances of texts. As long as one more is needed, returns the document to compare with, and
   * changes nothing. The rule has no lease.
   */
  observeStep(
    id: I,
    { view }: Sketch,
    rule: Rule,
    exact: readonly (number | undefined)[],
  ): Outcome<I> | ComparisonRequest<I> {
    this.#prepare(rule.now);
    // The resemblances follow the sketch, whose length need not be a multiple of 8.
    const to = exchange().input(view.length + 8 * exact.length);
    to.set(view);
    const values = new DataView(to.buffer, to.byteOffset + view.length);
    for (const [at, resemblance] of exact.entries()) values.setFloat64(8 * at, resemblance ?? Number.NaN, true);
    const { minResemblance, now, expiresIn } = rule;
    const row = this.#decide(id, rule, (number) =>
      this.#binding.observeStep(number, view.length, exact.length, minResemblance, now, expiresIn),
    );
    if (row[0] !== COMPARE) return outcomeIn(row, this.idOf);
    const [, , first, second] = exchange().cells(ROW);
    return { compare: this.idOf(row[1]), hashes: [first, second] };
  }

  /**
   * Calls the module for a decision on an id. `call` receives the number of the id. Returns the row that it has written. An id that is
   * not kept has no number afterwards.
   */
  #decide(id: I, rule: Rule, call: (number: number) => void): Float64Array {
    const known = this.#ids.numberOf(id);
    const number = known ?? this.#ids.assign(id);
    let status = COMPARE;
    try {
      call(number);
      status = exchange().floats(ROW)[0];
    } finally {
      if (known === undefined && status >= DUPLICATE) this.#ids.remove(id);
    }
    if (status !== COMPARE) this.#noteExpiry(rule, status < DUPLICATE);
    return exchange().floats(ROW);
  }

  /** Notes the times at which documents may end that a call may have kept or renewed. */
  #noteExpiry({ now, expiresIn, lease }: Rule, isKept: boolean): void {
    this.#hasLeases ||= !Number.isNaN(lease);
    // A lease can end after the document expires.
    if (this.#hasLeases) this.#nextExpiry = this.#binding.nextExpiry;
    else if (isKept && now + expiresIn < this.#nextExpiry) this.#nextExpiry = now + expiresIn;
  }

  /**
   * Observes a batch of documents in order, in one call of the module. Returns a row for each. An error leaves the documents before it
   * decided.
   */
  observeAll({ ids, sketches, ends }: SketchBatch<I>, rule: Rule): Float64Array {
    this.#prepare(rule.now);
    const count = ids.length;
    const numbers = new Uint32Array(count);
    const added: I[] = [];
    try {
      for (let at = 0; at < count; at++) {
        const known = this.#ids.numberOf(ids[at]);
        numbers[at] = known ?? this.#ids.assign(ids[at]);
        if (known === undefined) added.push(ids[at]);
      }
      exchange().write(sketches);
      this.#binding.observe(count, writeNumbers(numbers, ends, sketches.length), ...valuesOf(rule));
      return copyRows(count);
    } finally {
      // The module may have kept some of the documents before it throws.
      for (const id of added) if (!this.#binding.has(this.#ids.numberOf(id) as number)) this.#ids.remove(id);
      this.#nextExpiry = this.#binding.nextExpiry;
      this.#hasLeases ||= !Number.isNaN(rule.lease);
    }
  }

  /** Returns the decision that {@link DocumentSet.observe} would make, and changes nothing. */
  peek(id: I | undefined, sketch: Sketch, minResemblance: number, now: number): Outcome<I> {
    const length = writeSketch(sketch);
    this.#binding.peek(1, writeNumbers([this.#knownNumberOf(id)], [length], length), minResemblance, now);
    return outcomeIn(exchange().floats(ROW), this.idOf);
  }

  /** Returns rows of the decisions that {@link DocumentSet.peek} would make, in one call of the module. */
  peekAll({ ids, sketches, ends }: SketchBatch<I | undefined>, minResemblance: number, now: number): Float64Array {
    const numbers = Uint32Array.from(ids, (id) => this.#knownNumberOf(id));
    exchange().write(sketches);
    this.#binding.peek(ids.length, writeNumbers(numbers, ends, sketches.length), minResemblance, now);
    return copyRows(ids.length);
  }

  #knownNumberOf(id: I | undefined): number {
    return (id === undefined ? undefined : this.#ids.numberOf(id)) ?? UNKNOWN;
  }

  /** Returns the documents that a sketch resembles, at most `limit`. */
  query(sketch: Sketch, minResemblance: number, now: number, limit: number): Hit<I>[] {
    this.#prepare(now);
    const count = this.#binding.query(writeSketch(sketch), minResemblance, now, limit);
    const cells = exchange().floats(3 * count);
    return Array.from({ length: count }, (_, at) => hitIn(cells, 3 * at, this.idOf));
  }

  /**
   * Makes the provisional version of an id permanent, or discards it; with a sketch, only one that equals it. Returns whether there is
   * one.
   */
  settle(kind: 'confirm' | 'release', id: I, now: number, sketch?: Sketch): boolean {
    this.prune(now);
    const number = this.#ids.numberOf(id);
    if (number === undefined) return false;
    const length = sketch === undefined ? 0 : writeSketch(sketch);
    const isSettled = this.#binding.settle(number, length, kind === 'confirm', now);
    if (!this.#binding.has(number)) this.#ids.remove(id);
    this.#nextExpiry = this.#binding.nextExpiry;
    return isSettled;
  }

  /** Keeps a document, whatever it resembles. */
  add(id: I, sketch: Sketch, now: number, expiresIn: number): void {
    this.#prepare(now);
    const length = writeSketch(sketch);
    this.#ids.add(id, (number) => this.#binding.add(number, length, now, expiresIn));
    if (now + expiresIn < this.#nextExpiry) this.#nextExpiry = now + expiresIn;
  }

  /** Returns the number of an id whose document is kept and has not expired. */
  #find(id: I, now: number): number | undefined {
    this.prune(now);
    const number = this.#ids.numberOf(id);
    return number !== undefined && this.#binding.has(number) ? number : undefined;
  }

  has(id: I, now: number): boolean {
    return this.#find(id, now) !== undefined;
  }

  get(id: I, now: number): Sketch | undefined {
    const number = this.#find(id, now);
    const bytes = number === undefined ? undefined : this.#binding.get(number);
    return bytes && Sketch.of(bytes);
  }

  /** Returns the time at which a kept document expires, or `Infinity`. */
  expires(id: I): number {
    const number = this.#ids.numberOf(id);
    return number === undefined ? Infinity : this.#binding.expires(number);
  }

  delete(id: I, now: number): boolean {
    const number = this.#find(id, now);
    if (number === undefined) return false;
    this.#ids.remove(id);
    return this.#binding.delete(number);
  }

  clear(): void {
    this.#binding.clear();
    this.#ids = new Ids<I>();
    this.#nextExpiry = Infinity;
  }

  /** Removes the documents that have expired, and draws the salt: not earlier, since random numbers are forbidden at the start of a Worker. */
  #prepare(now: number): void {
    this.prune(now);
    if (this.#isSalted) return;
    this.#binding.salt = crypto.getRandomValues(new BigUint64Array(1))[0];
    this.#isSalted = true;
  }

  /** Removes the documents that have expired, releases their ids, and returns their number. */
  prune(now: number): number {
    if (now < this.#nextExpiry) return 0;
    const numbers = this.#binding.prune(now);
    for (const number of numbers) {
      const id = this.idOf(number);
      this.#ids.remove(id);
      this.onEnd?.(id);
    }
    this.#nextExpiry = this.#binding.nextExpiry;
    // Memory ran out before all were listed. A later call would remove the rest in the module, but not their ids here.
    if (this.#nextExpiry <= now) throw outOfMemory('the ids of the expired documents');
    return numbers.length;
  }

  *entries(): Generator<{ id: I; sketch: Sketch }, void, undefined> {
    // The caller may delete documents during the iteration, and the number of a deleted string id may be reused.
    const ids = Array.from(this.#binding.ids(), this.idOf);
    for (const id of ids) {
      const number = this.#ids.numberOf(id);
      const bytes = number === undefined ? undefined : this.#binding.get(number);
      if (bytes !== undefined) yield { id, sketch: Sketch.of(bytes) };
    }
  }

  *pairs(minResemblance: number, now: number): Generator<Pair<I>, void, undefined> {
    this.prune(now);
    const pairs = this.#binding.pairs(minResemblance, now);
    try {
      // One pair at a time: the loop may change the set.
      while (this.#binding.nextPair(pairs)) {
        const [a, b, resemblance] = exchange().floats(3);
        yield { a: this.idOf(a), b: this.idOf(b), resemblance };
      }
    } finally {
      module().free(pairs);
    }
  }

  clusters(isStar: boolean, minResemblance: number, now: number): Cluster<I>[] {
    this.prune(now);
    const size = 3 * this.#binding.clusters(isStar, minResemblance, now);
    const cells = exchange().floats(size);
    const clusters: Cluster<I>[] = [];
    for (let at = 0; at < size; at += 3) {
      const member = { id: this.idOf(cells[at]), resemblance: cells[at + 1] };
      // 1 marks the first member of a cluster.
      if (cells[at + 2] === 1) clusters.push({ representative: member.id, members: [member] });
      else clusters[clusters.length - 1].members.push(member);
    }
    return clusters;
  }
}

/** The values of a rule, as the module takes them. */
const valuesOf = ({ minResemblance, now, expiresIn, lease }: Rule) => [minResemblance, now, expiresIn, lease] as const;

/**
 * Writes the numbers of documents and the ends of their sketches to the exchange, two halves of a cell for each, behind `length` bytes
 * of sketches. Returns their position.
 */
function writeNumbers(numbers: ArrayLike<number>, ends: ArrayLike<number>, length: number): number {
  const start = Math.ceil(length / 8);
  const halves = exchange().halves(start + numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    halves[2 * (start + at)] = numbers[at];
    halves[2 * (start + at) + 1] = ends[at];
  }
  return 8 * start;
}

/** Copies the rows of `count` decisions, which a call has written. */
const copyRows = (count: number): Float64Array =>
  exchange()
    .floats(ROW * count)
    .slice(0, ROW * count);
