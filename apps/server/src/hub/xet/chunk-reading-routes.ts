import { describeReconstruction, isXetHash, openPackedChunks, type ChunkPlace } from "@assay/hub"
import { AssayError } from "@assay/schemas"
import { parseRangeHeader } from "@assay/storage"
import { Type } from "@sinclair/typebox"
import { access } from "../../auth/access.ts"
import type { App } from "../../http/app.ts"
import { sendFile } from "../../http/send-file.ts"
import type { Services } from "../../services.ts"
import { grantedStores, XET_BASE, xetFileset, xetReadUrl } from "./granted-stores.ts"

const tags = ["hub"]
/** The token of the address grants access. The handlers check it. */
const open = access({ scope: "public" })

const sha = { pattern: "^[0-9a-f]{64}$" }
const FileParameters = Type.Object({
  ...xetFileset,
  file: Type.String({ description: "Hash of the file, 64 hex digits." }),
})
const PlaceParameters = Type.Object({
  ...xetFileset,
  sha256: Type.String(sha),
  xorb: Type.String(sha),
  first: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 1 }),
})

/** Defines the routes from which clients read files as chunks. */
export function chunkReadingRoutes(app: App, services: Services): void {
  for (const version of [1, 2] as const) {
    app.get(
      `${XET_BASE}/v${version}/reconstructions/:file`,
      {
        config: open,
        exposeHeadRoute: false,
        // Answers are of the protocol.
        schema: {
          tags,
          hide: true,
          summary: "Get the chunks that make a file, or a range of it",
          params: FileParameters,
        },
      },
      async (request, reply) => {
        const { ws, name, file: hash } = request.params
        const { caller, stores } = await grantedStores(services, request, { ws, name, right: "read" })
        if (!isXetHash(hash))
          throw new AssayError("bad_request", `'${hash}' is not a hash of 64 lower-case hex digits.`)
        const sign = await services.xetTokens.createSigner(caller, { right: "read", fileset: stores.fileset })
        const base = `${xetReadUrl(request, { ws, name })}/v1/places`
        const urlOf = (place: ChunkPlace) => {
          const path = pathOf(place)
          return `${base}/${path}?token=${sign(path)}`
        }
        const range = parseRangeHeader(request.headers.range)
        return reply.send(await describeReconstruction(stores, { hash, range, version, urlOf }))
      },
    )
  }
  app.get(
    `${XET_BASE}/v1/places/:sha256/:xorb/:first/:end`,
    {
      // Logs show only the pattern of the address, which has a token.
      config: { ...open, logPattern: true },
      exposeHeadRoute: false,
      schema: {
        tags,
        hide: true,
        summary: "Read chunks that a file has",
        params: PlaceParameters,
        querystring: Type.Object({ token: Type.String() }),
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const { ws, name } = params
      const address = { token: query.token, path: pathOf(params) }
      const { stores } = await grantedStores(services, request, { ws, name, right: "read", address })
      const chunks = await openPackedChunks(stores, params)
      const facts = { size: chunks.size, etag: `"${address.path}"`, sha256: null, updatedAt: null }
      const source = {
        stat: () => Promise.resolve(facts),
        read: async (options: Parameters<typeof chunks.read>[0]) => ({ ...(await chunks.read(options)), file: facts }),
      }
      return sendFile(source, { request, reply, outgoing: services.outgoing, now: services.now })
    },
  )
}

/** Returns what a token for an address is good for. */
function pathOf({ sha256, xorb, first, end }: ChunkPlace): string {
  return `${sha256}/${xorb}/${first}/${end}`
}
