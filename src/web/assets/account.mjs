// What a script adds to the account pages: buttons that copy a text, and no second press of a form's button while the first one is on its way.
for (const button of document.querySelectorAll('[data-copy]')) {
  const text = document.getElementById(button.dataset.copy).textContent;
  const label = button.innerHTML;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.innerHTML = label;
    }, 2000);
  });
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
// A page from the browser's history can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form')) delete form.dataset.sent;
});
