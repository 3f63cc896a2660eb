import { pause } from '../shared/pause.js';

/** Receives the share of the work that is done, from 0 to 1. */
export type Progress = (share: number) => void;

/** Divides long work into slices, between which the page handles events and draws frames. */
export class Slices {
  #milliseconds: number;
  #end: number;

  constructor(milliseconds = 10) {
    this.#milliseconds = milliseconds;
    this.#end = performance.now() + milliseconds;
  }

  /** If the slice is over, calls `report` and pauses; otherwise returns at once. */
  async next(report?: () => void): Promise<void> {
    if (performance.now() < this.#end) return;
    report?.();
    await pause();
    this.#end = performance.now() + this.#milliseconds;
  }
}
