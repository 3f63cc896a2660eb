// The module of sets: deduplicators, clusters, and indexes of fingerprints.
import * as source from '#sets';
import { Exchange } from '../core/exchange.js';
import { Module } from './module.js';

// Not `module`: webpack keeps code that uses a variable of this name.
let created: Module<typeof source> | undefined;
let exchange: Exchange | undefined;

/** Returns the module. A function: if it were a constant, bundlers would keep its creation even if nothing uses it. */
export function sets(): Module<typeof source> {
  created ??= new Module(source, 'Deduplicators and indexes');
  return created;
}

export function setsExchange(): Exchange {
  exchange ??= new Exchange(sets());
  return exchange;
}
