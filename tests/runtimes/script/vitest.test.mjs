import { writeFileSync } from 'node:fs';
import * as dedupe from 'nearprint';
import * as compat from 'nearprint/compat';
import * as simhash from 'nearprint/simhash';
import { test } from 'vitest';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

test('the answers', () => writeFileSync('vitest.out', answers({ ...dedupe, ...simhash }, compat, vectors)));
