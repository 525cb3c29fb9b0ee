// Follows the header `Link` as client libraries do.
import { type Answer, BASE_URL } from './api';

/** The path of the next page; null if the response was the last one. */
export function nextPath(headers: Headers): string | null {
  const link = headers.get('link');
  if (link === null) return null;
  const next = /^<([^<>]+)>; rel="next"$/.exec(link)?.[1];
  if (!next?.startsWith(`${BASE_URL}/v1/`)) throw new Error(`no address of ours: ${link}`);
  return next.slice(BASE_URL.length);
}

const MOST_PAGES = 200;

/** The bodies of all pages, starting from the first path. */
export async function followed(path: string, get: (path: string) => Promise<Answer>): Promise<Answer['body'][]> {
  const bodies: Answer['body'][] = [];
  for (let next: string | null = path; next !== null; ) {
    const { status, body, headers } = await get(next);
    if (status !== 200 || bodies.length === MOST_PAGES)
      throw new Error(`${next} is a ${status}, page ${bodies.length}`);
    bodies.push(body);
    next = nextPath(headers);
  }
  return bodies;
}
