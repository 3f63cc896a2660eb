// The reader's settings, in local storage. Every function works without storage, which the browser may forbid.

export function loadSetting(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function saveSetting(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The setting lasts until the page is closed.
  }
}
