// The part of csv-parse that the page uses. The types of the package would add those of Node to the page.

declare module '#csv' {
  /** A row: its fields, and its source. */
  export interface Row {
    record: string[];
    raw: string;
  }

  export class Parser {
    constructor(options: {
      delimiter: string;
      record_delimiter: string[];
      bom: boolean;
      raw: boolean;
      relax_column_count: boolean;
      relax_quotes: boolean;
      skip_empty_lines: boolean;
    });
    readonly info: { lines: number };
    push(row: Row | null): boolean;
    write(text: string, done: (error?: Error | null) => void): boolean;
    end(done: () => void): void;
    once(event: 'error', listener: (error: Error) => void): void;
  }
}
