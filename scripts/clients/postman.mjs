// `clients/postman/racing-odds.postman_collection.json`: every operation that a key may call as a request, with the
// examples of the document. Made by openapi-to-postmanv2; what it makes anew each time is left out.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensurePostman } from '../install/npm-packages.mjs';
import { isCallable } from './callable.mjs';

const FILE = 'clients/postman/racing-odds.postman_collection.json';
const OPTIONS = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  requestParametersResolution: 'Example',
  exampleParametersResolution: 'Example',
  includeAuthInfoInExample: false,
  keepImplicitHeaders: false,
  // A reader switches on what a request needs.
  enableOptionalParameters: false,
  disableOptionalParameters: true,
};
const ABOUT =
  'Made by `npm run clients` from the OpenAPI document. Set the variables `baseUrl` and `apiKey`: keep the key in the current value, ' +
  'which is not shared. Parameters that are optional are switched off, each with an example.';

/**
 * Path and content of the file.
 * @param {string} root the checkout
 * @returns {Promise<[file: string, text: string]>}
 */
export async function collectionFile(root, document) {
  const tools = await ensurePostman(root);
  const { convertV2 } = createRequire(join(tools, 'index.js'))('openapi-to-postmanv2');
  /** @type {any} */
  const collection = await new Promise((done, failed) =>
    convertV2({ type: 'json', data: requestsOf(document) }, OPTIONS, (error, { result, reason, output }) =>
      error || !result ? failed(error ?? new Error(reason)) : done(output[0].data),
    ),
  );
  return [join(root, FILE), `${JSON.stringify(plainCollection(collection), null, 1)}\n`];
}

/** Without refusals, headers of answers and webhooks, which are no requests. */
function requestsOf({ openapi, info, servers, tags, paths, components }) {
  const kept = Object.entries(paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([method, one]) => isCallable(method, one));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own.map(([method, one]) => [method, callOf(one)]))]];
  });
  return {
    openapi,
    info: { title: info.title, version: info.version, description: ABOUT },
    servers,
    tags,
    paths: Object.fromEntries(kept),
    components,
    security: [{ ApiKeyAuth: [] }],
  };
}

const callOf = ({ responses, ...one }) => ({
  ...one,
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 300)
      .map(([status, { headers, ...response }]) => [status, response]),
  ),
});

function plainCollection({ info, item, auth, variable }) {
  const { _postman_id, ...head } = info;
  return {
    info: { ...head, description: ABOUT },
    item: item
      .filter(({ item: requests }) => requests.length > 0)
      .map(({ name, item: requests }) => ({ name, item: requests.map(plainRequest) })),
    auth,
    variable: [...variable.map(({ key, value }) => ({ key, value })), { key: 'apiKey', value: '' }],
  };
}

function plainRequest({ name, request, response }) {
  const { name: _, auth, body, ...kept } = request;
  return {
    name,
    // A key goes with all others.
    request: { ...kept, ...(body?.mode && { body }), ...(auth === null && { auth: { type: 'noauth' } }) },
    response: response.map(
      ({ name: title, originalRequest, status, code, header, body: text, _postman_previewlanguage }) => ({
        name: title,
        originalRequest: {
          method: originalRequest.method,
          url: originalRequest.url.raw ?? withoutQuery(originalRequest.url),
        },
        status,
        code,
        header,
        body: text,
        _postman_previewlanguage,
      }),
    ),
  };
}

const withoutQuery = ({ host, path, variable }) => ({ host, path, ...(variable?.length > 0 && { variable }) });
