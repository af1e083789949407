# Firstlight in one image: the program, its packages, the built pages. Runs as a user without rights; keeps everything in /data.
FROM node:24-slim AS build
WORKDIR /firstlight
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
# Vyper contracts are verified with compilers from PyPI; bubblewrap closes compilers off.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3-venv bubblewrap \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /firstlight
COPY --from=build --chown=root:root /firstlight /firstlight
RUN mkdir /data && chown node:node /data
USER node
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8545
VOLUME /data
EXPOSE 8545
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "src/main.ts"]
CMD ["start"]
