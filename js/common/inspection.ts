// The form of an object that `console.log` of Node, Deno and Bun prints.
import { defineMethod } from './dispose.js';

/** Defines a form of some properties, such as `Deduplicator { scheme: 's1', size: 3 }`. A freed object has none. */
export function defineInspection<T extends object>(prototype: T, ...properties: (keyof T & string)[]): void {
  defineMethod<T>(prototype, Symbol.for('nodejs.util.inspect.custom'), function () {
    const { name } = this.constructor;
    try {
      const values = properties.map(
        (property) => `${property}: ${JSON.stringify(this[property]).replaceAll('"', "'")}`,
      );
      return `${name} { ${values.join(', ')} }`;
    } catch {
      return `${name} { freed }`;
    }
  });
}
