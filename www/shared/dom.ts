// Creates and finds elements. Nothing here parses markup, so user text is only ever text.
import type { PlainKey } from '../locales/locale.js';

/** Returns the element with an id. Throws if the page has none of that type. */
export function byId(id: string): HTMLElement;
export function byId<T extends HTMLElement>(id: string, type: new () => T): T;
export function byId(id: string, type: new () => HTMLElement = HTMLElement): HTMLElement {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`#${id} must be an ${type.name}`);
  return element;
}

/** The attributes of a new element. One that is `false` or `undefined` is left out; `true` means an empty value. */
export interface Attributes {
  /** The message that is the element's text. */
  'data-t'?: PlainKey | undefined;
  /** The message that is the accessible name. */
  'data-t-label'?: PlainKey;
  /** The message that is the placeholder of a text area. */
  'data-t-placeholder'?: PlainKey;
  [name: string]: string | number | boolean | undefined;
}

/** Creates an element. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : `${value}`);
  }
  element.append(...children);
  return element;
}

/** Replaces the content of an element. If one of its buttons has the focus, the button in its place gets it. */
export function replaceContent(element: HTMLElement, content: HTMLElement[]): void {
  const buttons: (Element | null)[] = [...element.querySelectorAll('button')];
  const focused = buttons.indexOf(document.activeElement);
  element.replaceChildren(...content);
  if (focused !== -1) element.querySelectorAll('button')[focused]?.focus();
}

/** A function whose calls are delayed. */
export interface Debounced {
  (): void;
  /** Calls the function at once, and cancels a delayed call. */
  now(): void;
}

/** Returns a function that calls `work` once its own calls have paused for that time. */
export function debounced(work: () => void, milliseconds: number): Debounced {
  let timer: number | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
  soon.now = () => {
    clearTimeout(timer);
    work();
  };
  return soon;
}
