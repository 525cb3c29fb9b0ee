// Markdown of our own documents as HTML, by markdown-it (CommonMark, with tables). Markup in a text is shown as text.
import MarkdownIt from 'markdown-it';
import { Html, html } from '../html';
import { codeBlock } from '../reference/parts';

type Addresses = (href: string) => string;

/** `addressOf`: where a link of the document leads to on the site. */
export function renderMarkdown(source: string, addressOf: Addresses): Html {
  const markdown = new MarkdownIt({ html: false });
  const { rules } = markdown.renderer;
  const label = unique();
  // A region that scrolls can be reached by the keyboard.
  rules.table_open = () =>
    html`<div class="scroll" role="region" aria-label="${label('Table')}" tabindex="0"><table class="ruled">\n`.text;
  rules.table_close = () => '</table></div>\n';
  rules.th_open = () => '<th scope="col">';
  rules.fence = (tokens, at) => {
    const { content, info } = tokens[at]!;
    const language = LANGUAGES[info.trim()] ?? 'Text';
    return codeBlock(`code-${at}`, label(language), content.trimEnd()).text;
  };
  rules.heading_open = (tokens, at) => html`<${tokens[at]!.tag} id="${anchorOf(tokens[at + 1]!.content)}">`.text;
  rules.link_open = (tokens, at) => html`<a href="${addressOf(String(tokens[at]!.attrGet('href')))}">`.text;
  return new Html(markdown.render(source));
}

/** `Python`, then `Python 2`: no two regions of a page have one name. */
function unique(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  };
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
