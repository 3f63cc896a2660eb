// The module of nearprint/compat.
import * as source from '#compat';
import { Module } from './module.js';

/** It keeps no objects. */
export const compat: Module<typeof source> = new Module(source, 'Objects');
