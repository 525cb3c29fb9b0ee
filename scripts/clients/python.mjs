// The generated files of clients/python.
import { join } from 'node:path';
import { renderGroups } from './python/groups.mjs';
import { renderSchemas } from './python/schemas.mjs';

const FOLDER = 'clients/python/src/racing_odds_client/generated';

/**
 * Path and content of each file.
 * @param {string} root the checkout
 * @returns {[file: string, text: string][]}
 */
export const pythonFiles = (root, document) => [
  [join(root, FOLDER, 'groups.py'), renderGroups(document)],
  [join(root, FOLDER, 'schemas.py'), renderSchemas(document)],
];
