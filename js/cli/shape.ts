// The output of a run has one shape: lines of JSON, rows of one table, or paths.

export type Shape = 'lines' | 'rows' | 'paths';

/** Accepts the files of one shape. */
export class OneShape {
  #first: { name: string; shape: Shape; columns: string } | undefined;

  /** Throws if a file cannot be written with those before it. `columns` are the names of a table. */
  accept(name: string, shape: Shape, columns: readonly string[] = []): void {
    const own = { name, shape, columns: JSON.stringify(columns) };
    this.#first ??= own;
    if (this.#first.shape !== shape) {
      throw new Error(
        `its ${shape} cannot be written with the ${this.#first.shape} of ${this.#first.name}: run it by itself`,
      );
    }
    if (this.#first.columns !== own.columns) {
      throw new Error(`its columns are not those of ${this.#first.name}: run it by itself`);
    }
  }
}
