// The field of the search as a combobox with a list of suggestions (ARIA APG, list autocomplete with manual selection).
// Without this script it is the field of a form.
const WAIT_MS = 150;
const field = /** @type {HTMLInputElement | null} */ (document.getElementById('search-q'));
const news = document.getElementById('search-news');
const list = document.createElement('ul');

/** @type {{ text: string, note: string, path: string }[]} */
let shown = [];
let active = -1;
let timer = 0;
let asked = '';

const isOpen = () => !list.hidden;
const optionId = (at) => `search-option-${at}`;

function close() {
  list.hidden = true;
  active = -1;
  field?.setAttribute('aria-expanded', 'false');
  field?.removeAttribute('aria-activedescendant');
}

function mark(at) {
  active = at;
  for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === at));
  list.children[at]?.scrollIntoView({ block: 'nearest' });
  if (at < 0) field?.removeAttribute('aria-activedescendant');
  else field?.setAttribute('aria-activedescendant', optionId(at));
}

function optionOf({ text, note, path }, at) {
  const option = document.createElement('li');
  option.id = optionId(at);
  option.setAttribute('role', 'option');
  const more = document.createElement('span');
  more.className = 'found-note';
  more.textContent = note;
  option.append(text, ' ', more);
  option.addEventListener('mousedown', (event) => event.preventDefault());
  option.addEventListener('click', () => location.assign(path));
  return option;
}

function open(suggestions) {
  shown = suggestions;
  list.replaceChildren(...suggestions.map(optionOf));
  if (news) news.textContent = suggestions.length === 0 ? 'No suggestions' : `${suggestions.length} suggestions`;
  close();
  list.hidden = suggestions.length === 0;
  field?.setAttribute('aria-expanded', String(isOpen()));
}

async function suggest(text) {
  asked = text;
  const response = await fetch(`/search/suggestions?q=${encodeURIComponent(text)}`, {
    signal: AbortSignal.timeout(8000),
  });
  const suggestions = await response.json();
  // An answer that comes after a later question is not shown.
  if (asked === text && document.activeElement === field) open(suggestions);
}

function typed() {
  clearTimeout(timer);
  const text = field?.value.trim() ?? '';
  asked = '';
  if (text.length < 2) close();
  else timer = setTimeout(() => suggest(text).catch(close), WAIT_MS);
}

/** Past either end no suggestion is marked. */
const stepped = (by) => ((active + 1 + by + shown.length + 1) % (shown.length + 1)) - 1;

function pressed(event) {
  const { key } = event;
  if (key === 'Escape' && isOpen()) close();
  else if (key === 'ArrowDown' && isOpen()) mark(stepped(1));
  else if (key === 'ArrowUp' && isOpen()) mark(stepped(-1));
  else if (key === 'ArrowDown') typed();
  else if (key === 'Enter' && isOpen() && active >= 0) location.assign(shown[active]?.path ?? '');
  else return;
  event.preventDefault();
}

if (field) {
  list.id = 'search-list';
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  field.after(list);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
  ])
    field.setAttribute(/** @type {string} */ (name), /** @type {string} */ (value));
  field.addEventListener('input', typed);
  field.addEventListener('keydown', pressed);
  field.addEventListener('blur', close);
}
