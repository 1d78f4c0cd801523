# Florin as an image: the program, its packages and Node, and nothing that only tests need. The database is yours
# (DATABASE_URL); the PostgreSQL that comes with `npm start` is left out, as is the Node that npm would bring.
#
#   docker build -t florin .
#   docker run --read-only --env-file florin.env -p 3000:3000 florin

FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package's script runs. The lockfile says which bytes come.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE NOTICE ./
COPY src src
# Owned by root: the program can't change itself.
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/florin.ts"]
CMD ["serve"]
