// The addresses of jockeys, drivers and trainers: by folded name, or by the registry's code.
import type Router from '@koa/router';
import type { Next } from 'koa';
import type { PersonRole } from '../../domain/race/person';
import { aetDay } from '../../domain/time/aet';
import type { SendPage } from '../past/routes';
import { personPath } from '../race-parts';
import type { People } from './people';
import { personMain, personTitle } from './person-page';

interface PeopleRoutesDeps {
  readonly people: People;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

const PATHS = { jockey: 'rider', trainer: 'trainer' } as const satisfies Readonly<Record<string, PersonRole>>;

export function peoplePages(router: Router, { people, now }: PeopleRoutesDeps, send: SendPage): void {
  for (const [path, role] of Object.entries(PATHS))
    router.get(`/${path}/:key`, async (ctx, next: Next) => {
      const key = ctx.params.key!;
      const view = await people.person(role, key);
      if (view === null) return next();
      const nowMs = now();
      send(ctx, {
        title: personTitle(view),
        canonical: personPath(role, key),
        main: personMain(view, { nowMs, today: aetDay(nowMs) }),
      });
    });
}
