// The reader's settings, in local storage. Every function works without storage, which the browser may forbid.

/** Returns null for a setting that was never saved. */
export function loadSetting(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function saveSetting(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The setting lasts until the page is closed.
  }
}
