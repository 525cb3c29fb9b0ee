// A TABtouch race page: the documented hooks in a plausible page, including traps (the favourite's label joined to its
// price, a panel of deductions with the same classes as prices, a model delimited only by its own braces).
import type { TabTouchModel } from '../../../feeds/tabtouch/payload';

export interface PageContent {
  readonly title: string;
  readonly model: TabTouchModel;
  readonly state:
    | { readonly open: true; readonly atMs: number }
    | { readonly open: false; readonly atMs: number; readonly official: number | null };
  /** `win` 0 means no price. */
  readonly rows: readonly { readonly name: string; readonly win: number }[];
  readonly deductions: readonly { readonly name: string; readonly cents: number }[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/** Clock times are Perth times, UTC+8 all year. */
const clock = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(11, 19);

function stateText(state: PageContent['state']): string {
  if (state.open) return `Dividends as at: ${clock(state.atMs)}`;
  const official = state.official === null ? '' : ` Dividends official: ${clock(state.official)}`;
  return `Betting closed: ${clock(state.atMs)}${official}`;
}

export function tabTouchPage({ title, model, state, rows, deductions }: PageContent): string {
  const prices = rows.map(({ win }) => win).filter((win) => win > 0);
  const shortest = Math.min(...prices);
  const body = rows.map(({ name, win }) => {
    const label = win === shortest ? '<span class="label">Favourite</span>' : '';
    return rowOf(name, `${label}${win > 0 ? win.toFixed(2) : '-'}`);
  });
  const panel = deductions.map(({ name, cents }) => rowOf(`${name}`, `${cents}`, ' Scratched'));
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)} | TABtouch</title></head>
<body>
<h1>${escaped(title)}</h1>
<p class="dividends-as-at">${stateText(state)}</p>
<table class="race-card"><tbody>
${body.join('\n')}
</tbody></table>
${panel.length > 0 ? `<table class="deductions"><tbody>\n${panel.join('\n')}\n</tbody></table>` : ''}
<script>var globals = {"poll":30};</script>
<script>
  var model = ${JSON.stringify(model).replaceAll('<', '\\u003c')};
  ko.applyBindings({ model: model });
</script>
</body>
</html>
`;
}

const rowOf = (name: string, price: string, after = ''): string =>
  `<tr><td class="acceptor">${escaped(name)}</td><td class="fixed win"><span class="dividend">${price}</span></td>` +
  `<td>${after}</td></tr>`;
