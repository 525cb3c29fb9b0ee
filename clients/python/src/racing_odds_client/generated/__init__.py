"""Made from the OpenAPI document by `npm run clients`."""
