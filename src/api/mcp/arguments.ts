// The arguments of a tool as the request of its operation, which judges them: only what no request could state is
// refused here.
import type { InnerRequest } from './in-process';
import type { McpTool } from './tools';

type Arguments = Readonly<Record<string, unknown>>;

/** Or why there is no such request, as a sentence. */
type ToolRequest = InnerRequest | { readonly refused: string };

/** A member without a value counts as not sent. */
export function requestOf(tool: McpTool, given: Arguments): ToolRequest {
  const { endpoint } = tool;
  if (endpoint.method === 'post') return { method: 'POST', path: endpoint.path, body: JSON.stringify(given) };
  const sent = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  const most = Object.keys({ ...endpoint.params, ...endpoint.query }).length;
  if (sent.length > most) return { refused: `${tool.name} has ${most} arguments: ${sent.length} were sent.` };
  const { format, ...texts } = Object.fromEntries(sent.map(([name, value]) => [name, textOf(value)]));
  if (format !== undefined && endpoint.rowFormats) return { refused: ONLY_JSON(endpoint.path) };
  if (!Object.entries(texts).flat().every(isWhole)) return { refused: NOT_WHOLE };
  const path = pathOf(endpoint.path, texts);
  if (typeof path !== 'string') return path;
  const inPath = Object.keys(endpoint.params ?? {});
  const query = Object.entries({ ...defaultsOf(tool, texts), ...texts, ...(format !== undefined && { format }) });
  const search = String(new URLSearchParams(query.filter(([name]) => !inPath.includes(name))));
  return { method: 'GET', path: search === '' ? path : `${path}?${search}` };
}

const ONLY_JSON = (path: string): string =>
  `A tool answers with JSON: leave \`format\` out. CSV and Parquet are served by GET ${path}.`;

/** No address has half of a character. */
const isWhole = (text: string): boolean => text.isWellFormed();

const NOT_WHOLE = 'An argument has half of a surrogate pair, which is no Unicode character.';

/** As a query has it: lists are joined by commas (D1). */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Only for parameters that are sent under no name. */
function defaultsOf({ endpoint, defaults }: McpTool, sent: Arguments): Readonly<Record<string, string>> {
  const query = (endpoint.query ?? {}) as Readonly<Record<string, { readonly 'x-alias-of'?: string }>>;
  const isSent = (name: string): boolean =>
    Object.keys(sent).some((one) => one === name || query[one]?.['x-alias-of'] === name);
  const usual = Object.entries(defaults).filter(([name]) => !isSent(name));
  return Object.fromEntries(usual.map(([name, rows]) => [name, String(rows)]));
}

function pathOf(template: string, texts: Readonly<Record<string, string>>): string | { readonly refused: string } {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  // A path of dots would be another operation's.
  const missing = names.filter((name) => /^\.{0,2}$/.test(texts[name] ?? ''));
  if (missing.length > 0) return { refused: `Name a value of ${missing.join(' and ')}.` };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(texts[name]!));
}
