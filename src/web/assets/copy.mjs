// Buttons that copy a text. Only a page of a secure origin may write to the clipboard.
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
