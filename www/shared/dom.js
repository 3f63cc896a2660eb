// Creates and finds elements. Nothing here parses markup, so user text is only ever text.

export const byId = (id) => document.getElementById(id);

/** Creates an element. An attribute that is `false` or `undefined` is left out; `true` means an empty value. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** Returns a function that calls `work` once its calls have paused for that time. Its method `now` calls `work` at once. */
export function debounced(work, milliseconds) {
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
  soon.now = () => {
    clearTimeout(timer);
    work();
  };
  return soon;
}

/** Resolves after the browser had a chance to draw a frame and to handle events. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));
