import * as dedupe from 'nearprint';
import * as compat from 'nearprint/compat';
import * as simhash from 'nearprint/simhash';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

console.log(answers({ ...dedupe, ...simhash }, compat, vectors));
