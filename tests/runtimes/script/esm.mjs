import * as nearprint from 'nearprint';
import * as compat from 'nearprint/compat';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

console.log(answers(nearprint, compat, vectors));
