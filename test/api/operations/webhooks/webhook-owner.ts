// How an owner calls the operations of webhooks, and how their replies are checked.
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import type { Served } from '../../../support/api/served';

export const PATH = '/v1/webhooks';

/** `url`: the address of the webhooks that `create` makes. */
export function webhookOwner(served: () => Served, url: string) {
  const send = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
    const sent = { headers: { ...type, ...headers }, ...(body && { body: JSON.stringify(body) }) };
    return served().api.send(method, path, { key, ...sent });
  };
  const ok = async (operation: string, reply: ReturnType<typeof send>) => {
    const { status, body } = await reply;
    expect([status, body]).toEqual([/^replay/.test(operation) ? 202 : 200, body]);
    expectConforms(operation, body);
    return body;
  };
  const refused = async (status: number, reply: ReturnType<typeof send>) => {
    const problem = await reply;
    expect([problem.status, problem.body]).toEqual([status, problem.body]);
    expectProblemConforms(problem.body);
    return problem;
  };

  const create = (key: string, more: object = {}) => ok('create_webhook', send(key, 'POST', PATH, { url, ...more }));
  const plus = () => served().addKey({ plan: 'plus' });

  return { send, ok, refused, create, plus };
}
