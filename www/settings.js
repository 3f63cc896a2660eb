// What the reader chose by hand, remembered if the browser lets us.

export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is forbidden: the choice holds until the page is closed.
  }
}
