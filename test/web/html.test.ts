// Text that is not markup is escaped everywhere.
import { html } from '../../src/web/html';

const NASTY = `<img src=x onerror="alert('1')">&`;

test('text is escaped in content and in attributes', () => {
  expect(html`<p title="${NASTY}">${NASTY}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</p>',
  );
});

test('the template’s own markup is nested unchanged, and lists are joined', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
});

test('null, undefined and false render nothing; zero renders a zero', () => {
  expect(html`[${null}${undefined}${false}${0}]`.text).toBe('[0]');
});

test('an object with a text that the template did not create is not treated as markup', () => {
  const forged = { text: '<script>' } as unknown as string;
  expect(html`${forged}`.text).not.toContain('<script>');
});
