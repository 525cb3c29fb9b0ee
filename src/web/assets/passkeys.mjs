// The page of a passkey: the browser creates or uses it, and its response is sent as a form. Begins by itself; the
// button begins again.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-passkey]'));
const isSupported = typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** @type {Record<string, (options: any) => Promise<Credential | null>>} */
const CALLS = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};

if (form && isSupported) start(form);

/** @param {HTMLFormElement} form */
function start(form) {
  const { passkey: call = '', options = '' } = form.dataset;
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('credential'));
  /** @param {string} when @param {boolean} isShown */
  const show = (when, isShown) => {
    /** @type {HTMLElement} */ (form.querySelector(`[data-when="${when}"]`)).hidden = !isShown;
  };
  const begin = async () => {
    show('failed', false);
    button.disabled = true;
    try {
      const credential = /** @type {PublicKeyCredential} */ (await CALLS[call]?.(JSON.parse(options)));
      field.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch {
      // The person cancelled, or the browser has none: neither is a fault of the page.
      show('failed', true);
    }
    button.disabled = false;
  };
  show('unsupported', false);
  show('supported', true);
  button.hidden = false;
  button.addEventListener('click', begin);
  begin();
}
