import { type Caller, EVERYONE, NOBODY } from "@assay/access"
import { isAssayError, Session, SignIn } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { access, setCaller } from "../auth/access.ts"
import { sessionCookieOf, setSessionCookie } from "../auth/session-cookie.ts"

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
      request.log.info({ token: caller.id, request: request.id }, "signed in")
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
        description:
          "Renews the cookie of a session, which ends after 12 hours without a visit, and of a person of the identity provider with the ID token at the latest.",
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

function signOutRoute(app: App, services: Services): void {
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
    async (request, reply) => {
      const cookie = sessionCookieOf(request.headers.cookie)
      if (cookie !== undefined) await services.sessions.end(cookie)
      reply.header("set-cookie", setSessionCookie("", { isSecure: isOverTls(request, services), seconds: 0 }))
      return reply.code(204).send(null)
    },
  )
}

function sessionOf({ id, grants, person }: Caller, { takesTokens, identityProvider, version }: Services): Session {
  const auth = !takesTokens ? "off" : identityProvider === undefined ? "tokens" : "oidc"
  return {
    auth,
    signed_in: !takesTokens || id !== null,
    token: person === undefined ? id : null,
    user: person === undefined ? null : { subject: person.subject, name: person.name },
    provider:
      identityProvider?.hasSignIn === true
        ? { host: new URL(identityProvider.issuer).host, has_sign_out: identityProvider.hasSignOut() }
        : null,
    grants: [...grants],
    version,
  }
}

interface SessionVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  /** The cookie of the session that is renewed. Absent: a new session begins. */
  readonly cookie?: string | undefined
}

/** Sends the cookie of a session that begins or continues, and replaces no other cookie. Without auth there is no session. */
export async function renewSession(
  services: Services,
  { request, reply, caller, cookie }: SessionVisit,
): Promise<void> {
  const { sessions, now } = services
  const made = await sessions.create(caller, cookie)
  if (made === undefined) return
  const isSecure = isOverTls(request, services)
  const seconds = Math.max(0, Math.round((made.end - now()) / 1000))
  reply.header("set-cookie", setSessionCookie(made.value, { isSecure, seconds }))
}

/** Returns whether the browser of a request uses TLS: as the request says, or as the operator says of the address for people. */
function isOverTls({ protocol, host }: FastifyRequest, { publicUrl }: Services): boolean {
  return protocol === "https" || (publicUrl?.protocol === "https:" && publicUrl.host === host)
}
