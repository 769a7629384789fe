import { clientSignal } from "@assay/http/node"
import type { ProtocolHandler } from "@assay/mcp"
import { AssayError, ErrorBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../auth/access.ts"
import { bearerToken } from "../auth/authenticate.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { sleep } from "../sleep.ts"
import { callOwnRoutes } from "./call-own-routes.ts"

/** An evaluation file with inline rows fits; larger data belongs in a fileset. */
const MAX_BODY_BYTES = 4_194_304
const DEFAULT_WORKSPACE = "default"

const describe = describeRoutes("mcp", { scope: "any" }, { hideInput: true })
const Message = Type.Object(
  { jsonrpc: Type.Literal("2.0") },
  { $id: "ProtocolMessage", additionalProperties: true, description: "A message of JSON-RPC 2.0." },
)

/** Defines the endpoint of the Model Context Protocol: streamable HTTP without sessions, with the rights of the caller's token. */
export function mcpRoutes(app: App, services: Services): void {
  let handler: Promise<ProtocolHandler> | undefined
  app.post(
    "",
    {
      bodyLimit: MAX_BODY_BYTES,
      ...describe({
        summary: "Call a tool, as an assistant does (Model Context Protocol)",
        description:
          "The streamable HTTP transport of the Model Context Protocol, without sessions: each request is answered by itself. The tools call the routes of this server with the token of the request.",
        body: Message,
        response: { 200: Message, 202: Type.Null({ description: "A notification was accepted." }), ...errorResponses },
      }),
    },
    async (request, reply) => {
      checkNamesItself(request, services)
      // Most servers never need the protocol's library.
      handler ??= import("@assay/mcp").then(({ createProtocolHandler }) =>
        createProtocolHandler((error) => request.log.debug({ err: error }, "a message of the protocol was refused")),
      )
      const response = await (
        await handler
      ).answer(webRequest(request, reply), request.body, {
        client: { url: ownUrl(request), fetch: callOwnRoutes(request), ...tokenOf(request) },
        workspace: DEFAULT_WORKSPACE,
        sleep,
        version: services.version,
      })
      return sendResponse(response, reply)
    },
  )
  // Without sessions, there is nothing to listen to and nothing to end. Clients ask first.
  app.route({
    method: ["GET", "DELETE"],
    url: "",
    config: access({ scope: "any" }),
    schema: { hide: true, response: { 405: ErrorBody } },
    handler: (request, reply) => {
      reply.header("allow", "POST")
      throw new AssayError("method_not_allowed", `This server has no sessions: send POST instead of ${request.method}.`)
    },
  })
}

/** @throws `unauthorized` if only a cookie names the caller, because the tools call routes with its token */
function checkNamesItself({ headers }: FastifyRequest, { takesTokens }: Services): void {
  if (!takesTokens || bearerToken(headers.authorization) !== undefined) return
  throw new AssayError("unauthorized", "Assistants need a token: send `Authorization: Bearer <token>`.")
}

function tokenOf({ headers }: FastifyRequest): { readonly token?: string } {
  const token = bearerToken(headers.authorization)
  return token === undefined ? {} : { token }
}

/** Returns the address under which the caller knows this server. */
function ownUrl({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

const SECRET_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"])

/** Returns a request as the protocol's library takes it, without secrets and without the body, which is parsed already. */
function webRequest(request: FastifyRequest, { raw }: FastifyReply): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !SECRET_HEADERS.has(name)) headers.set(name, String(value))
  }
  return new Request(`${ownUrl(request)}/mcp`, { method: "POST", headers, signal: clientSignal(raw) })
}

async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  const text = await response.text()
  reply.code(response.status).header("cache-control", "no-store")
  const type = response.headers.get("content-type")
  if (type !== null) reply.type(type)
  return reply.send(text)
}
