import { visibleWorkspaces } from "@assay/registry/tokens"
import { DataStoreNamespace, type Workspace, WorkspaceName } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { installFormParser } from "../http/body-parsers.ts"
import { created, ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { DeletedEntity, deletedEntity, entityListOf } from "./entity-list.ts"

const tags = ["platform v1"]

function namespaceOf({ name, created_at, updated_at }: Workspace): Static<typeof DataStoreNamespace> {
  return { namespace: name, created_at, updated_at }
}

/** Defines the routes for workspaces as namespaces of the data store, under `/v1`. Its clients send forms. */
export function dataStoreRoutes(app: App, { registry: { workspaces } }: Services): void {
  installFormParser(app)
  app.post(
    "/datastore/namespaces",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: {
        tags,
        summary: "Create a namespace of the data store: a workspace",
        body: Type.Object({ namespace: WorkspaceName }, { additionalProperties: false }),
        response: created(DataStoreNamespace),
      },
    },
    async ({ body }, reply) => reply.code(201).send(namespaceOf(await workspaces.create({ name: body.namespace }))),
  )
  app.get(
    "/datastore/namespaces",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "List the namespaces of the data store",
        querystring: pageQuery(10, 1000),
        response: ok(entityListOf(DataStoreNamespace, "DataStoreNamespaceList")),
      },
    },
    async (request) => {
      const sort = "created_at"
      const found = await workspaces.list({ ...request.query, sort }, visibleWorkspaces(callerOf(request)))
      return { ...found, object: "list" as const, data: found.data.map(namespaceOf), sort, filter: {} }
    },
  )
  app.get(
    "/datastore/namespaces/:ws",
    {
      config: access({ scope: "workspace", role: "viewer" }),
      schema: {
        tags,
        summary: "Get a namespace of the data store",
        params: WorkspaceParameters,
        response: ok(DataStoreNamespace),
      },
    },
    async ({ params }) => namespaceOf(await workspaces.get(params.ws)),
  )
  app.delete(
    "/datastore/namespaces/:ws",
    {
      config: access({ scope: "workspace", role: "admin" }),
      schema: {
        tags,
        summary: "Delete a namespace of the data store that holds no data",
        params: WorkspaceParameters,
        response: ok(DeletedEntity),
      },
    },
    async ({ params }) => deletedEntity((await workspaces.remove(params.ws, { cascade: false })).name),
  )
}
