import { visibleWorkspaces } from "@assay/registry/tokens"
import { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import {
  created,
  errorResponses,
  NamedParameters,
  ok,
  RecordsQuery,
  WorkspaceParameters,
} from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["secrets"]
const read = access({ scope: "workspace", role: "viewer" })
const administer = access({ scope: "workspace", role: "admin" })
// If a key is misspelt, the error must not repeat its value.
const administerValues = { ...administer, hideInput: true }

/** Defines the routes for secrets, under `/apis/secrets/v2`. No route returns a value. */
export function secretRoutes(app: App, { registry }: Services): void {
  app.post(
    "/workspaces/:ws/secrets",
    {
      config: administerValues,
      schema: {
        tags,
        summary: "Create a secret",
        params: WorkspaceParameters,
        body: CreateSecret,
        response: created(Secret),
      },
    },
    async (request, reply) => reply.code(201).send(await registry.secrets.create(request.params.ws, request.body)),
  )
  app.get(
    "/workspaces/:ws/secrets",
    {
      config: read,
      schema: {
        tags,
        summary: "List secrets, without values",
        params: WorkspaceParameters,
        querystring: RecordsQuery,
        response: ok(SecretPage),
      },
    },
    (request) => registry.secrets.list(request.params.ws, request.query),
  )
  app.get(
    "/workspaces/:ws/secrets/:name",
    {
      config: read,
      schema: { tags, summary: "Get a secret, without its value", params: NamedParameters, response: ok(Secret) },
    },
    (request) => registry.secrets.get(request.params.ws, request.params.name),
  )
  app.patch(
    "/workspaces/:ws/secrets/:name",
    {
      config: administerValues,
      schema: { tags, summary: "Update a secret", params: NamedParameters, body: UpdateSecret, response: ok(Secret) },
    },
    (request) => registry.secrets.update(request.params.ws, request.params.name, request.body),
  )
  app.delete(
    "/workspaces/:ws/secrets/:name",
    {
      config: administer,
      schema: {
        tags,
        summary: "Delete a secret",
        description:
          "Fails with 409 `in_use` if the default storage, a fileset, a guardrail configuration, an evaluation target or configuration, or a job that has not ended names the secret. `used_by` lists up to ten of them that the caller may see.",
        params: NamedParameters,
        querystring: Type.Object({
          force: Type.Boolean({ default: false, description: "Delete the secret even if it is in use." }),
        }),
        response: { 204: Type.Null(), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const visible = visibleWorkspaces(callerOf(request))
      await registry.secrets.remove(ws, name, { force: request.query.force, visible })
      return reply.code(204).send(null)
    },
  )
  app.post(
    "/rotate-encryption-keys",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: {
        tags,
        summary: "Wrap every secret with the newest key-encryption key",
        description: "All or nothing: fails with 409 `encryption_key_missing` if a secret can't be unwrapped.",
        response: { 202: RotateEncryptionKeysResult, ...errorResponses },
      },
    },
    async (_request, reply) => reply.code(202).send(await registry.secrets.rotateEncryptionKeys()),
  )
}
