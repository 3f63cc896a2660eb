// Compares here what is small, and in a Worker what is not. Of what is asked meanwhile only the last is done.
import { measured } from './measure.js';
import { Remote } from './remote.js';

/** UTF-16 code units of both texts together. */
const LARGE = 100_000;

const remote = new Remote();
let busy = false;
let next = null;

/** Calls `show(result)`, soon; `showError(error)` if it fails. */
export async function compareTexts(a, b, options, show, showError) {
  if (busy) {
    next = [a, b, options, show, showError];
    return;
  }
  try {
    if (a.length + b.length < LARGE) {
      show(measured(a, b, options));
    } else {
      busy = true;
      const result = await remote.ask('compare', { a, b, options });
      if (next === null) show(result);
    }
  } catch (error) {
    showError(error);
  }
  busy = false;
  if (next) {
    const last = next;
    next = null;
    compareTexts(...last);
  }
}
