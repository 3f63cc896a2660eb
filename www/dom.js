// Elements, made without markup: what a user wrote is only ever text.

export const byId = (id) => document.getElementById(id);

/** An element with attributes, listeners (`onclick`) and children. An attribute that is false or undefined is left out. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** Calls `work` once the calls have paused for so many milliseconds. */
export function debounced(work, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
