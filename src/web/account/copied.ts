// A text to copy. The button needs a script, and is hidden without one.
import { type Html, html } from '../html';

export const copied = (
  label: string,
  text: string,
  id: string,
): Html => html`<div class="secret"><h2 id="${id}-label">${label}</h2>
<pre tabindex="0" aria-labelledby="${id}-label"><code id="${id}">${text}</code></pre>
<button class="button" type="button" data-copy="${id}" hidden>Copy<span class="vh"> ${label}</span></button></div>`;
