// Before uPlot, which formats dates in the browser's language as it loads: where that is no language tag, as
// `en-US@posix`, it is the page's.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: document.documentElement.lang });
}
