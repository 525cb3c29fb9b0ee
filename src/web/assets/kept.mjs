// What a visitor chose, kept by this browser. A browser that keeps nothing (a private window, storage refused or full)
// gets the fallback each time: a choice is a comfort, and no page needs one.
const address = (name) => `odds.${name}`;

/**
 * The value kept under a name; `fallback` without one, and for a text that is not JSON. Callers check its shape: an
 * older version of a page, or a person, may have written it.
 */
export function kept(name, fallback) {
  try {
    const text = localStorage.getItem(address(name));
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keeps a value of JSON under a name; undefined forgets it. */
export function keep(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(address(name));
    else localStorage.setItem(address(name), JSON.stringify(value));
  } catch {
    // Nothing is kept.
  }
}
