// Scripts of the account pages: buttons that copy a text, and protection against a second press of a form's button
// while the first is in progress. Only a page of a secure origin may write to the clipboard.
const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]'));
for (const button of navigator.clipboard ? buttons : []) {
  const code = /** @type {HTMLElement} */ (document.getElementById(button.dataset.copy ?? ''));
  const label = button.innerHTML;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(code);
    button.textContent = copied ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.innerHTML = label;
    }, 2000);
  });
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    // A submission that did not arrive may be sent again.
    setTimeout(() => delete form.dataset.sent, 5000);
  });
}
// A page from the browser's history can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form')) delete form.dataset.sent;
});
