// The requests of the Postman collection, and one of them as Postman sends it.
interface Variable {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly path: string[]; readonly query?: Variable[]; readonly variable?: Variable[] };
    readonly header?: Variable[];
    readonly body?: { readonly raw: string };
    readonly auth?: { readonly type: string };
  };
  readonly response: { readonly header: Variable[]; readonly body: string }[];
}

export interface PostmanRequest {
  readonly item: Item;
  /** As the document has it. */
  readonly path: string;
}

/** `text`: the collection. */
export const requestsIn = (text: string): PostmanRequest[] =>
  (JSON.parse(text).item as { item: Item[] }[])
    .flatMap(({ item }) => item)
    .map((item) => ({
      item,
      path: `/${item.request.url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`,
    }));

/** With what is switched on, and the key if the request has one. */
export function sendAsPostman({ item }: PostmanRequest, baseUrl: string, apiKey: string): Promise<Response> {
  const { method, url, header = [], body, auth } = item.request;
  const values = new Map((url.variable ?? []).map(({ key, value }) => [key, value]));
  const path = url.path.map((part) => (part.startsWith(':') ? (values.get(part.slice(1)) ?? '') : part)).join('/');
  const query = (url.query ?? []).filter(({ disabled }) => !disabled);
  const headers = header.filter(({ disabled }) => !disabled).map(({ key, value }): [string, string] => [key, value]);
  if (auth?.type !== 'noauth') headers.push(['X-API-Key', apiKey]);
  const search = new URLSearchParams(query.map(({ key, value }): [string, string] => [key, value]));
  return fetch(`${baseUrl}/${path}?${search}`, { method, headers, body: body?.raw ?? null });
}
