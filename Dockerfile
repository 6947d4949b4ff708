# The image of Paylink: Node, the service, its production packages and the built dashboard. docs/install.md describes how
# to build and run it. The file system may be read-only, except /data (the embedded database) and /tmp.

ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS dashboard
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY scripts ./scripts
COPY sdk ./sdk
COPY web ./web
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The optional packages are Node itself, which the image already has.
RUN npm ci --omit=dev --omit=optional
COPY scripts ./scripts
COPY src/receipts/fonts.ts ./src/receipts/fonts.ts
RUN node scripts/trim-packages.mjs

FROM ${NODE_IMAGE}
# npm and yarn only build.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && mkdir --mode=0700 /data \
  && chown 1000:1000 /data \
  && ln -s /app/scripts/paylink.mjs /usr/local/bin/paylink
WORKDIR /app
COPY LICENSE package.json package-lock.json ./
# The service serves its documentation.
COPY ARCHITECTURE.md CHANGELOG.md CODE_OF_CONDUCT.md CONTRIBUTING.md README.md SECURITY.md ./
COPY docs ./docs
COPY sdk/README.md ./sdk/README.md
COPY sdk-python/README.md ./sdk-python/README.md
COPY --from=packages /build/node_modules ./node_modules
COPY migrations ./migrations
COPY scripts ./scripts
COPY sdk/src ./sdk/src
COPY src ./src
COPY --from=dashboard /build/web/dist ./web/dist
# HOST: a published port reaches no loopback address. The others keep the memory small, as npm start does.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data \
    NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=1048576
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT []
CMD ["node", "src/main.ts"]
