import { type Caller, EVERYONE, NOBODY } from "@assay/access"
import { isAssayError, Session, SignIn } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { access, setCaller } from "../auth/access.ts"
import { SESSION_MS, sessionCookieOf, setSessionCookie } from "../auth/session-cookie.ts"

const tags = ["service"]
const config = access({ scope: "public" })

/** Defines the routes with which a browser signs in with a token, asks who it is, and signs out. */
export function sessionRoutes(app: App, services: Services): void {
  signInRoute(app, services)
  currentSessionRoute(app, services)
  signOutRoute(app, services)
}

function signInRoute(app: App, services: Services): void {
  const { authenticate, takesTokens } = services
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
      if (!takesTokens) return sessionOf(EVERYONE, services)
      const caller = await authenticate({ headers: { authorization: `Bearer ${request.body.token}` }, ip, method })
      setCaller(request, caller)
      await renewSession(services, { request, reply, caller })
      request.log.info({ token: caller.tokenId, request: request.id }, "signed in")
      return sessionOf(caller, services)
    },
  )
}

function currentSessionRoute(app: App, services: Services): void {
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
        const caller = await services.authenticate(request)
        if (request.headers.authorization === undefined) {
          await renewSession(services, { request, reply, caller, cookie: sessionCookieOf(request.headers.cookie) })
        }
        return sessionOf(caller, services)
      } catch (error) {
        if (isAssayError(error, "unauthorized")) return sessionOf(NOBODY, services)
        throw error
      }
    },
  )
}

function signOutRoute(app: App, { sessions }: Services): void {
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

function sessionOf({ tokenId, grants }: Caller, { takesTokens, version }: Services): Session {
  const signed_in = !takesTokens || tokenId !== null
  return { auth: takesTokens ? "tokens" : "off", signed_in, token: tokenId, grants: [...grants], version }
}

interface SessionVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  /** The cookie of the session that is renewed. Absent: a new session begins. */
  readonly cookie?: string | undefined
}

/** Sends the cookie of a session that begins or continues. Callers without a token have no session. */
async function renewSession({ sessions }: Services, visit: SessionVisit): Promise<void> {
  const { request, reply, caller, cookie } = visit
  const value = caller.tokenId === null ? undefined : await sessions.create(caller.tokenId, cookie)
  if (value === undefined) return
  const isSecure = request.protocol === "https"
  reply.header("set-cookie", setSessionCookie(value, { isSecure, seconds: SESSION_MS / 1000 }))
}
