// An operation whose need is not met must not compile: the type checker reads this file, and an error that it expects
// and does not find is one.
import type Router from '@koa/router';
import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat, type Gate, type NeedsOf } from '../../../../src/api/kernel/endpoint/endpoint';
import { type MountDeps, mount } from '../../../../src/api/kernel/mount';

interface Clock {
  readonly clock: { now(): number };
}
interface Store {
  readonly store: { read(): Promise<string> };
}
const about = {
  method: 'get',
  path: '/v1/things',
  operationId: 'things',
  tag: 'Site',
  summary: 'Things',
  description: 'Things.',
  auth: 'none',
  cost: flat(0),
  ok: { description: 'A thing.', schema: Type.Object({ at: Type.Number() }), example: { at: 1 } },
} as const;

const timed = endpoint<Clock>()({
  ...about,
  handler: async ({ services }) => ({ body: { at: services.clock.now() } }),
});
const stored = endpoint<Store>()({
  ...about,
  handler: async ({ services }) => ({ body: { at: (await services.store.read()).length } }),
});
const gate: Gate<unknown, unknown, unknown, Store> = {
  text: 'By the store.',
  errors: [],
  headers: {},
  check: async ({ services }) => void (await services.store.read()),
};

type Whole = NeedsOf<[typeof timed, typeof stored]>;
const met: Whole = { clock: { now: () => 1 }, store: { read: async () => '' } };
// @ts-expect-error the store is missing
const unmet: Whole = { clock: { now: () => 1 } };

/** Never called: only its types are read. */
const neverCalled = (router: Router, deps: MountDeps<Clock>, erased: readonly Endpoint[]): void => {
  mount(router, [timed], deps);
  // @ts-expect-error nothing has the store that the second one needs
  mount(router, [timed, stored], deps);
  // @ts-expect-error what a list without its needs is bound to is unknown
  mount(router, erased, deps);
  // @ts-expect-error the gate needs what the operation does not
  endpoint<Clock>()({ ...about, gate, handler: async () => ({ body: { at: 1 } }) });
  // @ts-expect-error the handler takes what the operation does not need
  endpoint<Clock>()({ ...about, handler: async ({ services }) => ({ body: { at: services.store } }) });
};

test('a combination of operations needs everything that any of them needs', () => {
  expect(Object.keys(met)).toEqual(['clock', 'store']);
  expect(unmet).not.toHaveProperty('store');
  expect(neverCalled).toBeInstanceOf(Function);
});
