# One image for every program of the service (api, worker, simulator, migrate): the command chooses which. The sources are
# run as they are; development packages stay out. Debian, because Temporal's native core needs glibc.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has this Node already; the one in the lock is for machines that have another.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
RUN mkdir /keys /bulk && chown node:node /keys /bulk
COPY --from=packages /app/node_modules node_modules
COPY package.json package-lock.json tsconfig.json ./
COPY scripts scripts
COPY migrations migrations
COPY src src
# The page of changes and its feeds are made from it.
COPY CHANGELOG.md ./
# The code of the workflow sandbox, so that no worker builds it at its start.
RUN node --import tsx src/workers/build-bundle.ts
USER node
ENTRYPOINT ["node", "--import", "tsx"]
CMD ["src/api/main.ts"]
