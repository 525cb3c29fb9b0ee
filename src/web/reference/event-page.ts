// The page of one kind of event that webhooks send.
import { html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import type { EventEntry } from './model';
import { codeBlock, memberTable, textParagraphs } from './parts';

export const eventPage = ({ name, summary, paragraphs: texts, members, example }: EventEntry): PlainPage => ({
  title: `${name}: ${summary}`,
  main: html`<p class="back"><a href="/docs">API reference</a></p>
<section class="panel plain" aria-labelledby="page-title"><h1 id="page-title">${summary}</h1>
<p class="call"><code>${name}</code></p>
${textParagraphs(texts)}<p>It is posted as JSON with the headers of Standard Webhooks: <a href="/docs/create-webhook">create a webhook</a> to receive it.</p>
<h2>Body</h2>
${memberTable('Body', members)}${example !== null && codeBlock('example', 'Example of a body', example)}
</section>`,
});
