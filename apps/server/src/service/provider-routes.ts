import type { IdentityProvider } from "@assay/access"
import { AssayError } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { errorResponses } from "../http/route-schemas.ts"
import { renewSession } from "./session-routes.ts"
import type { Services } from "../services.ts"
import { access, setCaller } from "../auth/access.ts"
import { CALLBACK_PATH } from "../auth/open-identity-provider.ts"
import { attemptCookieOf, setAttemptCookie } from "../auth/session-cookie.ts"
import { sendFailedSignIn } from "./sign-in-page.ts"

const tags = ["service"]
/** Addresses contain the code of the provider, so the log has their patterns. */
const config = { ...access({ scope: "public" }), logPattern: true }
const led = { 302: Type.Null({ description: "Leads the browser on." }), ...errorResponses }
const ATTEMPT_SECONDS = 600

const BeginQuery = Type.Object({
  return: Type.Optional(
    Type.String({ description: "Path of the page of the console that is shown afterwards; default: `/`." }),
  ),
})
const FinishQuery = Type.Object(
  {},
  { additionalProperties: true, description: "What the provider adds: `code` and `state`, or `error`." },
)

/** Defines the routes that lead a browser to the identity provider and back. They answer people, with pages. */
export function providerRoutes(app: App, services: Services): void {
  const { identityProvider } = services
  const provider = () => {
    if (identityProvider?.hasSignIn === true) return identityProvider
    throw new AssayError(
      "not_found",
      "Nobody signs in with an identity provider here: ASSAY_AUTH is not oidc, or ASSAY_OIDC_CLIENT_ID is not set.",
    )
  }
  app.register((scope, _options, done) => {
    scope.setErrorHandler(sendFailedSignIn)
    beginRoute(scope, services, provider)
    finishRoute(scope, services, provider)
    endRoute(scope, provider)
    done()
  })
}

type GetProvider = () => IdentityProvider

function beginRoute(app: App, { publicUrl }: Services, provider: GetProvider): void {
  const isSecure = publicUrl?.protocol === "https:"
  app.get(
    "/session/oidc",
    {
      config,
      schema: {
        tags,
        summary: "Begin a sign-in at the identity provider, in a browser",
        description:
          "Sets a cookie for ten minutes and leads to the provider, which leads to `/session/oidc/callback`. 503 while the provider is away.",
        querystring: BeginQuery,
        response: led,
      },
    },
    async (request, reply) => {
      const { url, attempt } = await provider().begin(request.query.return)
      return reply
        .header("set-cookie", setAttemptCookie(attempt, { isSecure, seconds: ATTEMPT_SECONDS }))
        .header("cache-control", "no-store")
        .redirect(url)
    },
  )
}

function finishRoute(app: App, services: Services, provider: GetProvider): void {
  const isSecure = services.publicUrl?.protocol === "https:"
  app.get(
    CALLBACK_PATH,
    {
      config,
      schema: {
        tags,
        summary: "End a sign-in: the provider leads the browser here",
        description:
          "Exchanges the code for an ID token and sets the session cookie. Works once, and only in the browser in which the sign-in was begun.",
        querystring: FinishQuery,
        response: led,
      },
    },
    async (request, reply) => {
      const { url: address, headers } = request
      const query = address.includes("?") ? address.slice(address.indexOf("?")) : ""
      const { caller, url } = await provider().finish(attemptCookieOf(headers.cookie, isSecure), query)
      setCaller(request, caller)
      reply.header("set-cookie", setAttemptCookie("", { isSecure, seconds: 0 })).header("cache-control", "no-store")
      await renewSession(services, { request, reply, caller })
      request.log.info({ token: caller.id, request: request.id }, "signed in")
      return reply.redirect(url)
    },
  )
}

function endRoute(app: App, provider: GetProvider): void {
  app.get(
    "/session/oidc/end",
    {
      config,
      schema: {
        tags,
        summary: "End the session at the identity provider, in a browser",
        description:
          "Leads to the provider's own page for it, or to `/` if it has none. `DELETE /session` ends the session here.",
        response: led,
      },
    },
    async (_request, reply) => reply.redirect((await provider().endSessionUrl()) ?? "/"),
  )
}
