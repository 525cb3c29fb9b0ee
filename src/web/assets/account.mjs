// Protection of the account pages against a second press of a form's button while the first is in progress.
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
