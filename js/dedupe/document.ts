// A document that is decided on: its content and its id.
import type { Id, Text } from '../common/types.js';
import type { ScopeOptions } from '../sketch/scope.js';
import type { Sketch } from '../sketch/sketch.js';
import type { Identified } from './decision.js';

/**
 * The content of a document: its text and its scope (default: the option `scope` of the call), or its sketch. If text and sketch
 * are given, the sketch is ignored.
 */
export type DocumentContent = TextContent | SketchContent;

/** The content of a document, as its text. */
export interface TextContent extends ScopeOptions {
  /** The text of the document. */
  text: Text;
  /** The sketch is made from the text. */
  sketch?: undefined;
}

/** The content of a document, as its sketch. */
export interface SketchContent {
  /** The sketch of the document's text. */
  sketch: Sketch;
  /** No text: the sketch is used. */
  text?: undefined;
  /** No scope: the sketch has the scope of its text. */
  scope?: undefined;
}

/** A document with its id. */
export type IdentifiedDocument<I extends Id = Id> = Identified<I> & DocumentContent;
