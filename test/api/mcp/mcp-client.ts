// The protocol's own client, and messages that no client sends.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer, TestApi } from '../../support/api/api';

/** Before the revision of 2026, and of it. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;

interface ToolAnswer {
  readonly isError: boolean;
  /** Of the operation. */
  readonly text: string;
  /** What the service adds; empty: nothing. */
  readonly notes: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever facts came back.
  readonly facts: any;
}

export interface McpClient {
  readonly client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
}

export async function connected(url: string, key?: string, era: (typeof ERAS)[number] = ERAS[1]): Promise<McpClient> {
  const newest = era === ERAS[1] ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, newest);
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    client,
    async call(name, given = {}) {
      const { isError = false, content, _meta } = await client.callTool({ name, arguments: given });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      return { isError, text: texts[0] ?? '', notes: texts.slice(1).join(' '), facts: _meta?.['racing-odds/call'] };
    },
  };
}

/** `id` null: a notification. */
export const message = (method: string, params: object = {}, id: number | null = 1) => ({
  jsonrpc: '2.0',
  ...(id !== null && { id }),
  method,
  params,
});

/** `body`: as it is, if it is a text. */
export const post = (
  api: TestApi,
  body: unknown,
  headers: Record<string, string> = {},
  key?: string,
): Promise<Answer> =>
  api.send('POST', '/mcp', {
    key,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
