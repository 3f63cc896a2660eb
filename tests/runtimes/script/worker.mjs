import * as dedupe from 'nearprint';
import * as compat from 'nearprint/compat';
import * as simhash from 'nearprint/simhash';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

export default {
  fetch() {
    try {
      return new Response(answers({ ...dedupe, ...simhash }, compat, vectors));
    } catch (error) {
      return new Response(String(error));
    }
  },
};
