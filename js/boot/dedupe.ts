// The module of sketches and decisions.
import { compiled } from '#boot';
import * as source from '#dedupe';
import { Exchange } from '../common/exchange.js';
import { Module } from '../common/module.js';

// Not `module`: webpack keeps code that uses a variable of this name.
let created: Module<typeof source> | undefined;
let exchange: Exchange | undefined;

/** Returns the module. A function: if it were a constant, bundlers would keep its creation even if nothing uses it. */
export function dedupeModule(): Module<typeof source> {
  created ??= new Module(source, compiled, 'Deduplicators and streams');
  return created;
}

export function dedupeExchange(): Exchange {
  exchange ??= new Exchange(dedupeModule());
  return exchange;
}
