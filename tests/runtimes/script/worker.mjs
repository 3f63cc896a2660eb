import * as nearprint from 'nearprint';
import * as compat from 'nearprint/compat';
import { answers } from './answers.mjs';
import { vectors } from './vectors.mjs';

export default {
  fetch() {
    try {
      return new Response(answers(nearprint, compat, vectors));
    } catch (error) {
      return new Response(String(error));
    }
  },
};
