// Where the checkout is, for files that are read unchanged: migrations, assets, the changelog, the contract. The same
// from the sources and from a built program.
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

export const ROOT = dirname(findPackageJSON(pathToFileURL(__filename)) ?? __filename);
