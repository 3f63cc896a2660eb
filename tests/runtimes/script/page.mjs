import * as dedupe from 'nearprint';
import * as compat from 'nearprint/compat';
import * as simhash from 'nearprint/simhash';
import { answers } from './answers.mjs';
import { report } from './report.mjs';
import { vectors } from './vectors.mjs';

report(() => answers({ ...dedupe, ...simhash }, compat, vectors));
