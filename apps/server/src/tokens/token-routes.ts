import { AssayError, CreatedToken, CreateToken, Token, TokenPage } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { created, ok, pageQuery } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const manage = describeRoutes("tokens", { scope: "anywhere", role: "admin" })

/** Defines the routes with which admins manage tokens, under `/v1`. Only the answer to a creation contains a token. */
export function tokenRoutes(app: App, { takesTokens, tokens }: Services): void {
  const checkAuth = () => {
    if (takesTokens) return
    throw new AssayError(
      "auth_off",
      "This server asks for no tokens: create one for an admin with `assay token create admin --role admin --workspace '*'`, then start the server with ASSAY_AUTH=tokens.",
    )
  }
  app.get(
    "/tokens",
    manage({
      summary: "List tokens, without values",
      description: "Lists the tokens that give rights only in workspaces where the caller is an admin.",
      querystring: pageQuery(100, 1000),
      response: ok(TokenPage),
    }),
    async (request) => {
      checkAuth()
      return tokens.list(callerOf(request), request.query)
    },
  )
  app.post(
    "/tokens",
    manage({
      summary: "Create a token",
      description:
        "The caller must be an admin in every workspace that the token gives rights in. A token that expires can only create tokens that expire by then.",
      body: CreateToken,
      response: created(CreatedToken),
    }),
    async (request, reply) => {
      checkAuth()
      const made = await tokens.create(callerOf(request), request.body)
      return reply.code(201).header("cache-control", "no-store").send(made)
    },
  )
  app.delete(
    "/tokens/:id",
    manage({
      summary: "Revoke a token",
      description:
        "The token and the sessions of browsers that it opened end at once. Fails with 409 `last_admin_token` if no other valid token has the role admin in all workspaces.",
      params: Type.Object({ id: Type.String() }),
      response: ok(Token),
    }),
    async (request) => {
      checkAuth()
      return tokens.revoke(callerOf(request), request.params.id)
    },
  )
}
