import { type Caller, EVERYONE, NOBODY } from "@assay/access"
import { isAssayError, Session, SignIn } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { access, setCaller } from "../auth/access.ts"
import { sessionCookieOf, setSessionCookie } from "../auth/session-cookie.ts"

/** Milliseconds until a session ends that nobody uses. */
export const SESSION_MS = 12 * 60 * 60 * 1000

const tags = ["service"]
const config = access({ scope: "public" })

/** Defines the routes with which a browser signs in with a token, learns who it is, and signs out. */
export function sessionRoutes(app: App, services: Services): void {
  const { authenticate, takesTokens, sessions, version } = services
  const sessionOf = ({ tokenId, grants }: Caller): Session => {
    const signed_in = !takesTokens || tokenId !== null
    return { auth: takesTokens ? "tokens" : "off", signed_in, token: tokenId, grants: [...grants], version }
  }
  const renew = async ({ protocol }: FastifyRequest, reply: FastifyReply, { tokenId }: Caller, cookie?: string) => {
    const value = tokenId === null ? undefined : await sessions.create(tokenId, cookie)
    if (value === undefined) return
    reply.header("set-cookie", setSessionCookie(value, { isSecure: protocol === "https", seconds: SESSION_MS / 1000 }))
  }

  app.post(
    "/session",
    {
      config: { ...config, hideInput: true },
      schema: {
        tags,
        summary: "Exchange a token for a session cookie",
        description: "For browsers. Programs send the token itself, as `Authorization: Bearer <token>`.",
        body: SignIn,
        response: ok(Session),
      },
    },
    async (request, reply) => {
      const { ip, method } = request
      if (!takesTokens) return sessionOf(EVERYONE)
      const caller = await authenticate({ headers: { authorization: `Bearer ${request.body.token}` }, ip, method })
      setCaller(request, caller)
      await renew(request, reply, caller)
      request.log.info({ token: caller.tokenId, request: request.id }, "signed in")
      return sessionOf(caller)
    },
  )

  app.get(
    "/session",
    {
      config,
      schema: {
        tags,
        summary: "Get who a browser is for this server",
        description: "Renews the cookie of a session, which ends after 12 hours without a visit.",
        response: ok(Session),
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store")
      try {
        const caller = await authenticate(request)
        if (request.headers.authorization === undefined) {
          await renew(request, reply, caller, sessionCookieOf(request.headers.cookie))
        }
        return sessionOf(caller)
      } catch (error) {
        if (isAssayError(error, "unauthorized")) return sessionOf(NOBODY)
        throw error
      }
    },
  )

  app.delete(
    "/session",
    {
      config,
      schema: {
        tags,
        summary: "Sign a browser out",
        description: "Ends the session on all servers: no copy of its cookie is valid afterwards.",
        response: { 204: Type.Null() },
      },
    },
    async ({ protocol, headers }, reply) => {
      const cookie = sessionCookieOf(headers.cookie)
      if (cookie !== undefined) await sessions.end(cookie)
      reply.header("set-cookie", setSessionCookie("", { isSecure: protocol === "https", seconds: 0 }))
      return reply.code(204).send(null)
    },
  )
}
