# One image for every program of the service (api, workers, simulator, ops): the command chooses which. Development packages stay out. Debian,
# because Temporal's native core needs glibc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
# The programs, and the code of the workflow sandbox, so that no worker builds it at its start.
RUN npm run build
# The image has this Node already; the one in the lock is for machines that have another.
RUN npm prune --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
RUN mkdir /keys /bulk && chown node:node /keys /bulk
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/.local .local
COPY package.json package-lock.json ./
COPY scripts scripts
COPY migrations migrations
# Its assets, and the sources of the workflow sandbox, whose hash its built code carries.
COPY src src
# The page of changes and its feeds are made from it.
COPY CHANGELOG.md ./
# So is the page of the contract.
COPY docs/contract docs/contract
# And the guides.
COPY docs/guides docs/guides
COPY docs/stream.md docs/webhooks.md docs/widgets.md docs/
COPY clients/python/README.md clients/python/
COPY clients/typescript/README.md clients/typescript/
USER node
# As scripts/app/lean-memory.mjs has it: what is kept for garbage is bounded.
ENV MALLOC_ARENA_MAX=2
ENTRYPOINT ["node", "--heap-growing-percent=100", "--max-semi-space-size=16"]
CMD ["dist/api/main.js"]
