// Type tests: what nearprint/compat accepts and, after @ts-expect-error, refuses. Not executed.
import { fingerprint, fingerprintAll, type SchemeName, schemes } from '../../pkg/types/compat.js';

const pairs = [['a', 1]] as const;
const text: bigint = fingerprint('a', { scheme: '1e0ng', bits: 128 });
const bytes: bigint = fingerprint(new Uint8Array(), { scheme: 'charikar-py', bits: 32 });
const keywords: bigint = fingerprint(pairs, { scheme: 'jieba' });
const counts: bigint = fingerprint(new Map([['a', 1]]), { scheme: 'zxub', bits: 64 });
const narrow: Uint32Array = fingerprintAll(['a'], { scheme: 'charikar-py', bits: 32 });
const wide: BigUint64Array = fingerprintAll(['a'], { scheme: 'charikar-py', bits: 128 });
const plain: BigUint64Array = fingerprintAll(['a'], { scheme: 'simhash-java' });
const many: BigUint64Array = fingerprintAll([pairs], { scheme: 'keywords-py' });
const names: SchemeName[] = schemes.map(({ name }) => name);

// @ts-expect-error a scheme that takes pairs takes no string
fingerprint('a', { scheme: 'jieba' });
// @ts-expect-error nor bytes
fingerprint(new Uint8Array(), { scheme: 'zxub' });
// @ts-expect-error nor a list of strings
fingerprint(['a'], { scheme: 'keywords-py' });
// @ts-expect-error a scheme that takes a text takes no pairs
fingerprint(pairs, { scheme: '1e0ng' });
// @ts-expect-error a width it does not have
fingerprint('a', { scheme: '1e0ng', bits: 32 });
// @ts-expect-error a width it does not have
fingerprint(pairs, { scheme: 'jieba', bits: 128 });
// @ts-expect-error a width it does not have
fingerprintAll(['a'], { scheme: '1e0ng', bits: 32 });
// @ts-expect-error an unknown scheme
fingerprint('a', { scheme: 'simhash' });
// @ts-expect-error there is no default scheme
fingerprint('a');
// @ts-expect-error a scheme that takes pairs does not accept strings
fingerprintAll(['a'], { scheme: 'zxub' });
// @ts-expect-error fingerprints of 32 bits are not bigints
const wrong: BigUint64Array = fingerprintAll(['a'], { scheme: 'charikar-py', bits: 32 });

export { bytes, counts, keywords, many, names, narrow, plain, text, wide, wrong };
