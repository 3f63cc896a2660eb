// The module of nearprint/compat.
import { compiled } from '#boot';
import * as source from '#compat';
import { Module } from '../common/module.js';

/** It keeps no objects. */
export const compat: Module<typeof source> = new Module(source, compiled, 'Objects');
