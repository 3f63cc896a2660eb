// The module of texts: fingerprints, sketches, features, comparisons, and the rule of decisions.
import * as source from '#text';
import { Exchange } from '../core/exchange.js';
import { Module } from './module.js';

// Not `module`: webpack keeps code that uses a variable of this name.
let created: Module<typeof source> | undefined;
let exchange: Exchange | undefined;

/** Returns the module. A function: if it were a constant, bundlers would keep its creation even if nothing uses it. */
export function text(): Module<typeof source> {
  created ??= new Module(source, 'Streams');
  return created;
}

export function textExchange(): Exchange {
  exchange ??= new Exchange(text());
  return exchange;
}
