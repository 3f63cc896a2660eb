import * as compat from 'nearprint/compat';
import { load } from 'nearprint/web';
import { answers } from './answers.mjs';
import { report } from './report.mjs';
import { vectors } from './vectors.mjs';

report(async () => answers(await load(), compat, vectors));
