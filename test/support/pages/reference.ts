// The reference of the whole API.
import { referenceOf } from '../../../src/api/discovery/reference/reference';
import { openApiDocument } from '../../../src/api/openapi/document';
import { ENDPOINTS } from '../../../src/api/operations';
import type { ApiReference } from '../../../src/web/reference/model';

export const exampleReference = (baseUrl: string): ApiReference => referenceOf(openApiDocument(ENDPOINTS, baseUrl));
