// The OpenAPI document of one API process, which its routes and the pages of the reference share.
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { type PreparedResponse, prepareDocument } from '../kernel/http/response/prepared';
import { openApiDocument } from './document';
import type { Schema } from './schema';
import { inTurns, yamlParts } from './yaml';

export interface ApiDocuments {
  readonly document: Schema;
  json(): PreparedResponse;
  /** Made once, at the first call. */
  yaml(): Promise<PreparedResponse>;
}

/** `baseUrl`: public address, without a trailing slash. */
export function createApiDocuments(endpoints: readonly Endpoint[], baseUrl: string): ApiDocuments {
  const document = openApiDocument(endpoints, baseUrl);
  let json: PreparedResponse | null = null;
  let yaml: Promise<PreparedResponse> | null = null;
  const prepared = (text: string, type: string) =>
    prepareDocument(text, `${type}; charset=utf-8`, { revalidated: true });
  return {
    document,
    json() {
      json ??= prepared(JSON.stringify(document), 'application/json');
      return json;
    },
    yaml() {
      yaml ??= inTurns(yamlParts(document)).then((text) => prepared(text, 'application/yaml'));
      return yaml;
    },
  };
}
