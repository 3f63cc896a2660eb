// The declarations for `require`, which are copies with other extensions.
import { schemes } from '../../pkg/types/compat.cjs';
import { type Bits, distance, fingerprint } from '../../pkg/types/simhash.cjs';

const bits: Bits = 128;
const print: bigint = fingerprint('text', { bits });
export const found: { apart: number; name: string } = { apart: distance(print, 0n), name: schemes[0].name };

// @ts-expect-error a text is a string or bytes
fingerprint(7);
