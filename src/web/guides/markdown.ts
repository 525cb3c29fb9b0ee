// Markdown of our own documents as HTML, by markdown-it (CommonMark, with tables). Markup in a text is shown as text.
import MarkdownIt from 'markdown-it';
import { Html, html } from '../html';
import { codeBlock } from '../reference/parts';

type Addresses = (href: string) => string;

/** `addressOf`: where a link of the document leads to on the site. */
export function renderMarkdown(source: string, addressOf: Addresses): Html {
  const markdown = new MarkdownIt({ html: false });
  const { rules } = markdown.renderer;
  // A region that scrolls can be reached by the keyboard.
  rules.table_open = () =>
    '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table class="columns">\n';
  rules.table_close = () => '</table></div>\n';
  rules.th_open = () => '<th scope="col">';
  rules.fence = (tokens, at) => {
    const { content, info } = tokens[at]!;
    const language = LANGUAGES[info.trim()] ?? 'Text';
    return codeBlock(`code-${at}`, language, content.trimEnd()).text;
  };
  rules.heading_open = (tokens, at) => html`<${tokens[at]!.tag} id="${anchorOf(tokens[at + 1]!.content)}">`.text;
  rules.link_open = (tokens, at) => html`<a href="${addressOf(String(tokens[at]!.attrGet('href')))}">`.text;
  return new Html(markdown.render(source));
}

/** As GitHub has it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  sh: 'Shell',
  html: 'HTML',
  json: 'JSON',
  sql: 'SQL',
};
