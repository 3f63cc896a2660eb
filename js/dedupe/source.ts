// The documents of a source: how dedupe and clusters read them.
import { ArgumentError } from '../common/argument-error.js';
import { checkFunction, checkId, checkText, isBytes, isId } from '../common/check.js';
import { describeNoText } from '../common/text-advice.js';
import type { Id, Text } from '../common/types.js';
import { checkScope } from '../sketch/scope.js';

/** The id that a document has by default: its field `id`. */
export type DefaultId<D> = D extends Text
  ? undefined
  : D extends { readonly id?: infer I extends Id | undefined }
    ? I
    : Id | undefined;

/** The options that state how the documents of a source are read. */
export interface DocumentOptions<D = unknown, I extends Id | undefined = Id | undefined> {
  /**
   * Returns the id of a document, a string or a safe integer, or `undefined` if it has none. Default: its field `id`, if it
   * is an object. An id identifies a document over time. A document without an id is never `changed`.
   */
  id?: ((document: D) => I) | undefined;
  /** Returns the text of a document. Default: the document itself if it is a text, otherwise its field `text`. */
  text?: ((document: D) => Text) | undefined;
  /**
   * Returns the scope of a document: only documents of one scope can be near-duplicates. `undefined` and `''` stand for none.
   * Default: documents have no scope. See {@link ScopeOptions}.
   */
  scope?: ((document: D) => string | undefined) | undefined;
}

/**
 * The arguments after a source of documents: the options, which need `text` unless the documents are texts or have one. One signature:
 * an error in the options would be reported for each of several.
 */
export type SourceArguments<D, O> = [D] extends [Text | { readonly text: Text }]
  ? [options?: O]
  : [options: O & { text: (document: D) => Text }];

/** A document that is read, with its position in the source. */
export interface SourceDocument<D> {
  document: D;
  position: number;
  id: Id | undefined;
  text: Text;
  /** '' for none. */
  scope: string;
}

export function readerOf<D>({
  id,
  text,
  scope,
}: Partial<DocumentOptions<D>>): (document: D, position: number) => SourceDocument<D> {
  if (id !== undefined) checkFunction(id, 'id');
  if (text !== undefined) checkFunction(text, 'text');
  if (scope !== undefined) checkFunction(scope, 'scope');
  return (document, position) => {
    const isText = typeof document === 'string' || isBytes(document);
    if (!isText && text === undefined && (typeof document !== 'object' || document === null)) {
      const requirement = '{ id, text }, a string or a Uint8Array of UTF-8';
      throw new ArgumentError(`source[${position}]`, requirement, document, describeNoText(document));
    }
    const fields = document as { id?: unknown; text?: unknown };
    const found = (id === undefined ? (isText ? undefined : fields?.id) : id(document)) ?? undefined;
    const content = text === undefined ? (isText ? document : fields.text) : text(document);
    // The name of an argument is made only for an error.
    return {
      document,
      position,
      id: found === undefined || isId(found) ? found : checkId(found as Id, `source[${position}].id`),
      text: typeof content === 'string' ? content : checkText(content, `source[${position}].text`),
      scope: scope === undefined ? '' : checkScope(scope(document), `scope(source[${position}])`),
    };
  };
}
