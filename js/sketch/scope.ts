// Scopes: documents of different scopes do not resemble each other.
import { ArgumentError } from '../common/argument-error.js';
import { checkOptions } from '../common/check.js';
import type { Sketch } from './sketch.js';

/** The scope of a document. */
export interface ScopeOptions {
  /**
   * The set of documents that the document belongs to: a site of a shared store, a language, a customer, or a product of a
   * template. Documents of different scopes are never equal, and their resemblance is near 0. Documents without this option, or
   * with `''`, are a set of their own. A sketch has the scope of its text. A scope has no lone surrogates.
   */
  scope?: string | undefined;
}

/** The requirement on a scope: its hash is made from UTF-8, in which all lone surrogates are U+FFFD. @internal */
export const scopeRequirement = 'a string without lone surrogates';

/** @internal */
export const isScope = (scope: string): boolean => !/\p{Surrogate}/u.test(scope);

/** Checks a scope. Returns '' for none. @internal */
export function checkScope(scope: unknown = '', argument = 'scope'): string {
  if (typeof scope === 'string' && isScope(scope)) return scope;
  throw new ArgumentError(argument, scopeRequirement, scope);
}

/** Returns the scope of options that have no other property. @internal */
export const scopeOf = (options: ScopeOptions | undefined): string =>
  options === undefined ? '' : checkScope(checkOptions(options, ['scope']).scope);

/** Throws for a scope that is given with a sketch. @internal */
export function checkNoScope(scope: string, sketch: Sketch, argument: string): void {
  if (scope !== '') throw new ArgumentError(argument, 'a text if scope is given', sketch);
}
