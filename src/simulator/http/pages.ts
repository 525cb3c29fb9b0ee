// Two small pages for people: what the simulator serves, and its faults, each with a switch. Programs still get JSON
// from `/faults`: a page is sent only to clients that prefer HTML.
import type { Context, Middleware } from 'koa';
import { SCENARIOS, type Scenario } from '../faults/scenarios';
import type { Switch, Switches } from '../faults/switches';

export function pages(switches: Switches, bookKeys: readonly string[], now: () => number): Middleware {
  return (ctx, next) => {
    const isPage = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html';
    if (ctx.path === '/' && ctx.method === 'GET') return send(ctx, 'Simulator', start(bookKeys, now()));
    if (ctx.path === '/faults' && isPage) return send(ctx, 'Faults', faults(switches, bookKeys, now()));
    return next();
  };
}

async function send(ctx: Context, title: string, body: string): Promise<void> {
  ctx.type = 'html';
  ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.3rem .6rem;vertical-align:top}tr.on{background:#fff3cd}</style>
<h1>${title}</h1>${body}</html>`;
}

const start = (bookKeys: readonly string[], nowMs: number): string => `
<p>The simulated bookmakers, exchange and registries. Their time is ${new Date(nowMs).toISOString()}.</p>
<ul><li><a href="/faults">Faults</a>: switch a fault on or off</li>
<li><a href="/world/races">Races</a>: what really happens in every race</li>
<li><a href="/world/matches">Matches</a>: every match and each book’s row of it</li>
<li><a href="/healthz">Health</a></li></ul>
<p>Each book answers under its own prefix: ${bookKeys.map((key) => `<code>/${key}/</code>`).join(', ')}.</p>`;

function faults(switches: Switches, bookKeys: readonly string[], nowMs: number): string {
  const on = switches.all(nowMs);
  const books = ['', ...bookKeys].map((key) => `<option value="${key}">${key || 'every book'}</option>`).join('');
  const rows = SCENARIOS.map((one) =>
    row(
      one,
      on.filter(({ scenario }) => scenario === one.name),
    ),
  );
  return `<p><a href="/">Simulator</a> · <label>Switch on for <select id="book">${books}</select></label>
<label>for <input id="seconds" type="number" min="1" size="6" placeholder="until off"> seconds</label></p>
<p id="problem" role="alert"></p><table>${rows.join('')}</table>
<script>addEventListener('click', async ({ target }) => {
  const { name, method } = target.dataset;
  if (!name) return;
  const query = new URLSearchParams();
  for (const key of ['book', 'seconds']) if (method === 'PUT' && document.getElementById(key).value) query.set(key, document.getElementById(key).value);
  const reply = await fetch('/faults/' + name + '?' + query, { method });
  if (reply.ok) location.reload();
  else document.getElementById('problem').textContent = (await reply.json()).error;
});</script>`;
}

function row({ name, description }: Scenario, on: readonly Switch[]): string {
  const where = on.map(({ book, race, venue, untilMs }) =>
    [book ?? 'every book', race, venue, untilMs && `until ${new Date(untilMs).toISOString()}`]
      .filter(Boolean)
      .join(', '),
  );
  const isOn = on.length > 0;
  const button = (method: string, label: string): string =>
    `<button data-name="${name}" data-method="${method}">${label}</button>`;
  return `<tr${isOn ? ' class="on"' : ''}><td><code>${name}</code></td><td>${escaped(description)}${isOn ? `<br><b>On: ${escaped(where.join('; '))}</b>` : ''}</td>
<td>${button('PUT', 'Switch on')}${isOn ? button('DELETE', 'Switch off') : ''}</td></tr>`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
