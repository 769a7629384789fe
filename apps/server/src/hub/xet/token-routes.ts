import { checkBranch, readChunkState, type Repository } from "@assay/hub"
import type { XetRight } from "@assay/access"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { CommitQuery, refusePullRequest, RevisionParameters } from "../hub-request.ts"
import { xetReadUrl } from "./granted-stores.ts"
import { xetStoresOf } from "./xet-stores-of.ts"

const XetToken = Type.Object(
  {
    casUrl: Type.String({ description: "The address for chunks." }),
    exp: Type.Integer({ description: "End of the token, in seconds since 1970." }),
    accessToken: Type.String(),
  },
  { $id: "HubXetToken" },
)

/** The address for the chunks of a fileset, and a token for it. */
export interface XetAddress {
  readonly casUrl: string
  /** Seconds since 1970. */
  readonly exp: number
  readonly accessToken: string
}

/** Returns the address of the chunks of a fileset and a new token for it. Older addresses stay valid. */
export async function createXetAddress(
  services: Services,
  request: FastifyRequest,
  { ws, name, right }: Repository & { readonly right: XetRight },
): Promise<XetAddress> {
  const { id: fileset } = await registryOf(services, request).filesets.get(ws, name)
  const { token, end } = await services.xetTokens.create(callerOf(request), { right, fileset })
  const casUrl =
    right === "read" ? xetReadUrl(request, { ws, name }) : await uploadUrl(services, request, { ws, name, fileset })
  return { casUrl, exp: Math.floor(end / 1000), accessToken: token }
}

/** Returns an address for uploads, which is another one after chunks were lost. */
async function uploadUrl(
  services: Services,
  request: FastifyRequest,
  { ws, name, fileset }: Repository & { readonly fileset: string },
): Promise<string> {
  const state = await readChunkState(xetStoresOf(services, request, { ws, name, fileset }))
  return `${hubUrl(request)}/xet/${ws}/${name}/${fileset}.${state}`
}

/** Returns an address as the header fields that clients read from. */
export function xetHeaders({ casUrl, exp, accessToken }: XetAddress): Record<string, string> {
  return { "X-Xet-Cas-Url": casUrl, "X-Xet-Access-Token": accessToken, "X-Xet-Token-Expiration": String(exp) }
}

/** Defines the routes that give clients a token for chunks: to read them, and to upload them. */
export function xetTokenRoutes(app: App, services: Services): void {
  app.get(
    "/api/:type/:ws/:name/xet-read-token/:rev",
    {
      config: access({ scope: "workspace", role: "viewer" }),
      schema: {
        tags: ["hub"],
        summary: "Get a token to read files as chunks",
        params: RevisionParameters,
        response: { 200: XetToken },
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const address = await createXetAddress(services, request, { ws, name, right: "read" })
      reply.headers(xetHeaders(address))
      return address
    },
  )
  app.get(
    "/api/:type/:ws/:name/xet-write-token/:rev",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: {
        tags: ["hub"],
        summary: "Get a token for the upload of chunks",
        params: RevisionParameters,
        querystring: CommitQuery,
        response: { 200: XetToken },
      },
    },
    async (request, reply) => {
      const { ws, name, rev } = request.params
      refusePullRequest(request.query.create_pr)
      checkBranch(rev)
      await registryOf(services, request).files.openWritable(ws, name)
      const address = await createXetAddress(services, request, { ws, name, right: "write" })
      reply.headers(xetHeaders(address))
      return address
    },
  )
}
