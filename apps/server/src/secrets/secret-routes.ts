import { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { access, callerOf } from "../auth/access.ts"
import { visibleWorkspaces } from "../auth/require-role.ts"
import { errorResponses, NamedParameters, RecordsQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["secrets"]
const read = access({ scope: "workspace", role: "viewer" })
const administer = access({ scope: "workspace", role: "admin" })
// A typo in a key must not make the answer repeat the value that stands behind it.
const administerValues = { ...administer, hideInput: true }

/** Secrets, under `/apis/secrets/v2`. No route answers with a value. */
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
        response: { 201: Secret, ...errorResponses },
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
        response: { 200: SecretPage, ...errorResponses },
      },
    },
    (request) => registry.secrets.list(request.params.ws, request.query),
  )
  app.get(
    "/workspaces/:ws/secrets/:name",
    {
      config: read,
      schema: {
        tags,
        summary: "Get a secret, without its value",
        params: NamedParameters,
        response: { 200: Secret, ...errorResponses },
      },
    },
    (request) => registry.secrets.get(request.params.ws, request.params.name),
  )
  app.patch(
    "/workspaces/:ws/secrets/:name",
    {
      config: administerValues,
      schema: {
        tags,
        summary: "Update a secret",
        params: NamedParameters,
        body: UpdateSecret,
        response: { 200: Secret, ...errorResponses },
      },
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
          "409 `in_use` while the default storage, a fileset, a guardrail configuration, an evaluation target or configuration, or a job that has not ended names it; `used_by` lists up to ten of those that the caller may see.",
        params: NamedParameters,
        querystring: Type.Object({
          force: Type.Boolean({ default: false, description: "Delete it whatever names it." }),
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
        description: "All or nothing: 409 `encryption_key_missing` where a secret can't be unwrapped.",
        response: { 202: RotateEncryptionKeysResult, ...errorResponses },
      },
    },
    async (_request, reply) => reply.code(202).send(await registry.secrets.rotateEncryptionKeys()),
  )
}
