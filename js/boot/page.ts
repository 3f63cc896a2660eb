// The module of the demo page: fingerprints and sketches in one, which have the data of Unicode in common. It is in place of the
// modules of both.
import { compiled } from '#boot';
import * as source from '#page';
import { Exchange } from '../common/exchange.js';
import { Module } from '../common/module.js';

const module: Module<typeof source> = new Module(source, compiled, 'Streams');
const exchange: Exchange = new Exchange(module);

const pageModule = (): Module<typeof source> => module;
const pageExchange = (): Exchange => exchange;

export {
  pageExchange as dedupeExchange,
  pageExchange as simhashExchange,
  pageModule as dedupeModule,
  pageModule as simhashModule,
};
