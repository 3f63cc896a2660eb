import { writeFileSync } from 'node:fs';
import * as nearprint from 'nearprint';
import * as compat from 'nearprint/compat';
import { test } from 'vitest';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

test('the answers', () => writeFileSync('vitest.out', answers(nearprint, compat, vectors)));
