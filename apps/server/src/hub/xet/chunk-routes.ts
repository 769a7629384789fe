import { checkAnnouncedLength, requestBytes } from "@assay/http/node"
import { createKnownXorbs, isXetHash, MAX_SHARD_BYTES, receiveXorb, registerShard } from "@assay/hub"
import { AssayError } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access } from "../../auth/access.ts"
import { bearerToken } from "../../auth/authenticate.ts"
import type { App } from "../../http/app.ts"
import { streamBodies } from "../../http/body-parsers.ts"
import type { Services } from "../../services.ts"
import { chunkReadingRoutes } from "./chunk-reading-routes.ts"
import { grantedStores, XET_BASE, xetFileset } from "./granted-stores.ts"

const tags = ["hub"]
/** The token of the address grants access. The handlers check it. */
const open = access({ scope: "public" })

/** How long a client remembers which chunks it need not send. */
const SHARD_SECONDS = 3600

const XorbParameters = Type.Object({
  ...xetFileset,
  prefix: Type.String({ description: "`default`" }),
  hash: Type.String({ description: "Hash of the xorb, 64 hex digits." }),
})

/** Defines the routes for chunks: those that receive xorbs, and the shards that say which files they make, and those that clients read from. */
export function chunkRoutes(app: App, services: Services): void {
  const { uploadIdleMs: idleMs, maxUploadBytes: maxBytes } = services
  streamBodies(app)
  otherRoutes(app)
  knownChunkRoute(app, services)
  chunkReadingRoutes(app, services)
  app.post(
    `${XET_BASE}/v1/xorbs/:prefix/:hash`,
    {
      config: open,
      schema: {
        tags,
        // Bodies are of the protocol, and can't be written by hand.
        hide: true,
        summary: "Send a xorb",
        consumes: ["application/octet-stream"],
        params: XorbParameters,
        response: { 200: Type.Object({ was_inserted: Type.Boolean() }) },
      },
    },
    async (request) => {
      const { params, raw } = request
      const { hash } = params
      const { stores } = await grantedStores(services, request, { ...params, right: "write" })
      if (!isXetHash(hash)) throw new AssayError("bad_request", `'${hash}' is not a hash of 64 lower-case hex digits.`)
      const size = checkAnnouncedLength(raw, { path: hash, idleMs })
      if (size === undefined) throw new AssayError("bad_request", "A xorb is sent with Content-Length.")
      const announced = { hash, size, hashes: await services.xetHashes() }
      return { was_inserted: await receiveXorb(stores, announced, requestBytes(raw, { path: hash, idleMs })) }
    },
  )
  app.post(
    `${XET_BASE}/v1/shards`,
    {
      config: open,
      schema: {
        tags,
        hide: true,
        summary: "Send a shard: which chunks make files",
        consumes: ["application/octet-stream"],
        params: Type.Object(xetFileset),
        response: { 200: Type.Object({ result: Type.Integer() }) },
      },
    },
    async (request) => {
      const { params, raw } = request
      const { stores } = await grantedStores(services, request, { ...params, right: "write" })
      const limits = { path: "shard", idleMs, maxBytes: MAX_SHARD_BYTES }
      checkAnnouncedLength(raw, limits)
      const shard = Buffer.concat(await Array.fromAsync(requestBytes(raw, limits)))
      await registerShard(stores, shard, { maxBytes, hashes: await services.xetHashes() })
      return { result: 1 }
    },
  )
}

/** Defines the route that lists the chunks that a client need not send. */
function knownChunkRoute(app: App, services: Services): void {
  const knownXorbs = createKnownXorbs()
  app.get(
    `${XET_BASE}/v1/chunks/:prefix/:hash`,
    {
      config: open,
      exposeHeadRoute: false,
      schema: {
        tags,
        hide: true,
        summary: "Get the xorbs of the files that have a chunk, or of the latest files, as a shard",
        params: XorbParameters,
      },
    },
    async (request, reply) => {
      const { params } = request
      const { stores } = await grantedStores(services, request, { ...params, right: "read" })
      const made = Math.floor(services.now() / 1000)
      const shard = await knownXorbs(stores, {
        chunk: params.hash,
        token: bearerToken(request.headers.authorization) ?? "",
        shardKey: { ...(await services.xetShardKey()), made, end: made + SHARD_SECONDS },
      })
      if (shard === undefined)
        throw new AssayError("not_found", `'${params.ws}/${params.name}' does not have chunk ${params.hash}.`)
      return reply.type("application/octet-stream").send(shard)
    },
  )
}

/** Defines the answer to what this server does not have. Clients then use an older form of the request, or go on without it. */
function otherRoutes(app: App): void {
  app.all(
    `${XET_BASE}/*`,
    { config: open, schema: { tags, hide: true, params: Type.Object(xetFileset) } },
    (request) => {
      throw new AssayError("not_found", `There is no ${request.method} ${request.url.split("?")[0]} in this hub.`)
    },
  )
}
