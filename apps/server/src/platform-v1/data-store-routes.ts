import { Timestamp, WorkspaceName, type Workspace } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import { visibleWorkspaces } from "../auth/require-role.ts"
import type { App } from "../http/app.ts"
import { errorResponses, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { installFormParser } from "../validation/form-body.ts"
import { DeletedEntity, deletedEntity, entityListOf } from "./entity-list.ts"

const tags = ["platform v1"]

const DataStoreNamespace = Type.Object(
  {
    namespace: Type.String({ description: "The name of the workspace." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "DataStoreNamespace" },
)

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
        response: { 201: DataStoreNamespace, ...errorResponses },
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
        response: { 200: entityListOf(DataStoreNamespace, "DataStoreNamespaceList"), ...errorResponses },
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
        response: { 200: DataStoreNamespace, ...errorResponses },
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
        response: { 200: DeletedEntity, ...errorResponses },
      },
    },
    async ({ params }) => deletedEntity((await workspaces.remove(params.ws, { cascade: false })).name),
  )
}
