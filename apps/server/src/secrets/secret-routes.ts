import { visibleWorkspaces } from "@assay/access"
import { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { dropNulls } from "../http/drop-nulls.ts"
import {
  created,
  errorResponses,
  NamedParameters,
  ok,
  RecordsQuery,
  WorkspaceParameters,
} from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const ALL = "/workspaces/:ws/secrets"
const ONE = `${ALL}/:name` as const

const read = describeRoutes("secrets", { scope: "workspace", role: "viewer" })
const remove = describeRoutes("secrets", { scope: "workspace", role: "admin" })
// If a key is misspelt, the error must not repeat its value.
const write = describeRoutes("secrets", { scope: "workspace", role: "admin" }, { hideInput: true })
const rotate = describeRoutes("secrets", { scope: "everywhere", role: "admin" })
const one = { params: NamedParameters, response: ok(Secret) }

const RemoveQuery = Type.Object({
  force: Type.Boolean({ default: false, description: "Delete the secret even if it is in use." }),
})

/** Defines the routes for secrets, under `/apis/secrets/v2`. No route returns a value. */
export function secretRoutes(app: App, { registry: { secrets } }: Services): void {
  app.post(
    ALL,
    {
      ...write({
        summary: "Create a secret",
        params: WorkspaceParameters,
        body: CreateSecret,
        response: created(Secret),
      }),
      preValidation: dropNulls,
    },
    async ({ params, body }, reply) => reply.code(201).send(await secrets.create(params.ws, body)),
  )
  app.get(
    ALL,
    read({
      summary: "List secrets, without values",
      params: WorkspaceParameters,
      querystring: RecordsQuery,
      response: ok(SecretPage),
    }),
    ({ params, query }) => secrets.list(params.ws, query),
  )
  app.get(ONE, read({ summary: "Get a secret, without its value", ...one }), ({ params: { ws, name } }) =>
    secrets.get(ws, name),
  )
  app.patch(ONE, write({ summary: "Update a secret", body: UpdateSecret, ...one }), ({ params: { ws, name }, body }) =>
    secrets.update(ws, name, body),
  )
  app.delete(
    ONE,
    remove({
      summary: "Delete a secret",
      description:
        "Fails with 409 `in_use` if the default storage, a fileset, a guardrail configuration, an evaluation target or configuration, or a job that has not ended names the secret. `used_by` lists up to ten of them that the caller may see.",
      params: NamedParameters,
      querystring: RemoveQuery,
      response: { 204: Type.Null(), ...errorResponses },
    }),
    async (request, reply) => {
      const { ws, name } = request.params
      const visible = visibleWorkspaces(callerOf(request))
      await secrets.remove(ws, name, { force: request.query.force, visible })
      return reply.code(204).send(null)
    },
  )
  app.post(
    "/rotate-encryption-keys",
    rotate({
      summary: "Wrap every secret with the newest key-encryption key",
      description: "All or nothing: fails with 409 `encryption_key_missing` if a secret can't be unwrapped.",
      response: { 202: RotateEncryptionKeysResult, ...errorResponses },
    }),
    async (_request, reply) => reply.code(202).send(await secrets.rotateEncryptionKeys()),
  )
}
