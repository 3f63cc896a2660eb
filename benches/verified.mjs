// `dedupe` with verification by text as a module for the evaluation, which has all texts in memory:
//
//     node ../shared/eval/scale.mjs --module benches/verified.mjs
import * as nearprint from '../pkg/index.js';

export function dedupe(documents, options) {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  return nearprint.dedupe(documents, { ...options, textOf: (id) => texts.get(id) });
}

export const { fingerprintAll } = nearprint;
