import * as nearprint from 'nearprint';
import * as compat from 'nearprint/compat';
import { answers } from './answers.mjs';
import { report } from './report.mjs';
import { vectors } from './vectors.mjs';

report(() => answers(nearprint, compat, vectors));
