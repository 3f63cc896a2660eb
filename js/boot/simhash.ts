// The module of fingerprints and their search.
import { compiled } from '#boot';
import * as source from '#simhash';
import { Exchange } from '../common/exchange.js';
import { Module } from '../common/module.js';

// Not `module`: webpack keeps code that uses a variable of this name.
let created: Module<typeof source> | undefined;
let exchange: Exchange | undefined;

/** Returns the module. A function: if it were a constant, bundlers would keep its creation even if nothing uses it. */
export function simhashModule(): Module<typeof source> {
  created ??= new Module(source, compiled, 'Indexes and streams');
  return created;
}

export function simhashExchange(): Exchange {
  exchange ??= new Exchange(simhashModule());
  return exchange;
}
