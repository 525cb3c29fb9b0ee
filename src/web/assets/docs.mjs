// The reader's own key in the samples of the reference. It is kept in this tab and sent nowhere.
const NAME = 'odds-key';
const field = /** @type {HTMLInputElement | null} */ (document.getElementById('own-key'));
const places = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-key]'))].map((place) => ({
  place,
  usual: place.textContent,
}));

/** A key has letters, digits and lines only, so it needs no escape in any language. */
function show(key) {
  const isKey = /^[\w-]+$/.test(key);
  for (const { place, usual } of places) {
    const quote = place.dataset.key;
    place.textContent = isKey ? `${quote}${key}${quote}` : usual;
  }
}

if (field) {
  field.value = sessionStorage.getItem(NAME) ?? '';
  show(field.value);
  /** @type {HTMLElement} */ (field.parentElement).hidden = false;
  field.addEventListener('input', () => {
    sessionStorage.setItem(NAME, field.value.trim());
    show(field.value.trim());
  });
}
