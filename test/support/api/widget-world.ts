// Widgets in customers' sites for tests, over real HTTP: two API processes, in that they share no caches and
// connections, over one PostgreSQL and one Redis. The real ledger charges every fill. One clock, which the test moves,
// serves races and credits.
import { randomBytes } from 'node:crypto';
import { createSportsBoard } from '../../../src/api/operations/sports/sports-board';
import { createWidgetEmbeds } from '../../../src/api/operations/widgets/fills/embeds';
import type { Served as Counted } from '../../../src/api/operations/widgets/fills/fill-metrics';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import { createReads } from '../../../src/store/reads/reads';
import { createRedis } from '../../../src/store/redis/redis';
import { createSharedAnswers } from '../../../src/store/redis/shared-answers';
import { createWeb } from '../../../src/web/routes';
import { PATIENT_MS } from '../patient';
import type { TestDatabase } from '../servers/database';
import { poolAs } from '../servers/roles';
import { NOW, startApi, type TestApi } from './api';
import { expectProblemConforms } from './conforms';
import { type Served, serve } from './served';

export const SITE = 'https://www.example.com';
const FROM_SITE = { Origin: SITE, 'Sec-Fetch-Site': 'cross-site' };
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

interface Made {
  readonly key: string;
  readonly id: string;
  readonly embedId: string;
}

type Reply = ReturnType<TestApi['get']>;

export interface WidgetWorld {
  readonly served: Served;
  readonly clock: { nowMs: number };
  /** The counts of all processes. */
  readonly recorded: Counted[];
  manage(key: string, method: string, path: string, body?: object): Reply;
  /** A widget of its own account. */
  made(more?: object, plan?: string): Promise<Made>;
  /** The response to a script of the allowed site; `at`: from which process. */
  fill(of: Pick<Made, 'embedId'>, query?: string, at?: number, headers?: Record<string, string>): Reply;
  /** The address that the script of the widget's own page requests, if the page is loaded now. */
  pricesPath(of: Pick<Made, 'embedId'>, query?: string): Promise<string>;
  pageAsks(path: string, headers?: Record<string, string>): Reply;
  /** The token of its page, if the page is loaded now. */
  pageToken(of: Pick<Made, 'embedId'>): Promise<string>;
  accountOf(key: string): Promise<{ readonly accountId: string; readonly keyId: string }>;
  /** The credits of the account in the ledger, and its lines. */
  charged(of: Made): Promise<readonly [credits: number, lines: number]>;
  refused(status: number, code: string, reply: Reply): Promise<Pick<Awaited<Reply>, 'body' | 'headers'>>;
  /** Another process, which cannot reach Redis. */
  startAway(): Promise<TestApi>;
  stop(): Promise<void>;
}

export async function createWidgetWorld(): Promise<WidgetWorld> {
  const clock = { nowMs: Date.parse(NOW) };
  const recorded: Counted[] = [];
  const closing: (() => Promise<unknown>)[] = [];

  const parts = (db: TestDatabase, isAway = false) => {
    const pool = poolAs(db, 'racing_api');
    const stores = createStores(pool);
    const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
    closing.push(async () => {
      redis.disconnect();
      await pool.end();
    });
    const reads = createReads(pool);
    const now = () => clock.nowMs;
    const shared = isAway ? null : redis;
    const fillAnswers = createSharedAnswers(shared, db.url, { leadMs: 60_000 });
    const sports = createSportsBoard(reads, createSharedAnswers(shared, db.url));
    const embeds = { store: stores.widgetFills, reads, sports, fillAnswers, ownOrigins: ['https://api.example.com'] };
    const live = { board: () => Promise.reject(), race: () => Promise.reject(), chart: () => Promise.reject() };
    const widgets = createWidgetEmbeds({ ...embeds, now, wallMs: now, record: (one) => void recorded.push(one) });
    const owned = { store: stores.ownedWidgets, random: randomBytes };
    const clocks = { now, wallMs: now };
    // Readers come from the network that `X-Forwarded-For` names.
    const pages = createWeb({ live, now, speed: 1, widgets });
    return { ...stores, reads, widgets: owned, ...clocks, pages, trustedProxies: 1 };
  };

  const served = await serve((db) => parts(db));
  const processes = [served.api, await startApi(parts(served.db))];
  const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const manage = (key: string, method: string, path: string, body?: object) =>
    served.api.send(method, `/v1/widgets${path}`, { key, ...(body && json(body)) });
  const accountOf = async (key: string) => (await createStores(served.db.pool).keys.find([hashApiKey(key)]))[0]!;

  return {
    served,
    clock,
    recorded,
    manage,
    async made(more = {}, plan = 'platform') {
      const key = await served.addKey({ plan });
      const { body } = await manage(key, 'POST', '', { name: 'x', allowed_origins: [SITE], ...more });
      return { key, id: body.id, embedId: body.embed_id };
    },
    fill: ({ embedId }, query = '', at = 0, headers = FROM_SITE) =>
      processes[at]!.get(`/widgets/${embedId}/fill${query}`, undefined, headers),
    async pricesPath({ embedId }, query = '') {
      const { text } = await served.api.get(`/widgets/${embedId}${query}`);
      return /data-prices="([^"]+)"/.exec(text)![1]!.replace('&amp;', '&');
    },
    pageAsks: (path, headers = {}) => served.api.get(path, undefined, { ...OWN_PAGE, ...headers }),
    async pageToken({ embedId }) {
      const { text } = await served.api.get(`/widgets/${embedId}`);
      return /data-token="([^"]+)"/.exec(text)![1]!;
    },
    accountOf,
    async charged({ key }) {
      const { accountId, keyId } = await accountOf(key);
      const { rows } = await served.db.pool.query(
        `SELECT COALESCE(sum(credits), 0)::int AS credits, count(*)::int AS lines, array_agg(DISTINCT subject) AS subjects,
                array_agg(DISTINCT key_id) AS keys FROM credit_ledger WHERE account_id = $1`,
        [accountId],
      );
      if (rows[0].lines > 0) expect(rows[0]).toMatchObject({ subjects: ['widget_fill'], keys: [keyId] });
      return [rows[0].credits, rows[0].lines];
    },
    async refused(status, code, reply) {
      const { status: sent, body, headers } = await reply;
      expect([sent, body]).toMatchObject([status, { code }]);
      expectProblemConforms(body);
      // Nothing about the owner: neither plan, nor credits, nor where to buy.
      expect(body.detail).not.toMatch(/plan|credit|account/i);
      expect(Object.keys(body)).not.toContain('upgrade_url');
      const names = [...headers.keys()];
      expect(names.filter((name) => name.startsWith('x-credits') || name.startsWith('x-upgrade'))).toEqual([]);
      return { body, headers };
    },
    async startAway() {
      const away = await startApi(parts(served.db, true));
      closing.unshift(() => away.close());
      return away;
    },
    async stop() {
      await processes[1]!.close();
      for (const close of closing) await close();
      await served.stop();
    },
  };
}
