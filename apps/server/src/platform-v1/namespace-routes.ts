import { visibleWorkspaces } from "@assay/access"
import {
  checkSameName,
  CreateNamespace,
  DataStoreNamespace,
  dataStoreNamespaceOf,
  DeletedEntity,
  deletedEntity,
  descriptionOf,
  entityListOf,
  enumeration,
  LISTING_SORTS,
  Namespace,
  namespaceOf,
  parseNamespaceListing,
  UpdateNamespace,
  WorkspaceName,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { created, ok, pageQuery, queryPairs, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { installFormParser } from "../http/body-parsers.ts"

const create = describeRoutes("platform v1", { scope: "everywhere", role: "admin" })
const list = describeRoutes("platform v1", { scope: "any" })
const read = describeRoutes("platform v1", { scope: "workspace", role: "viewer" })
const administer = describeRoutes("platform v1", { scope: "workspace", role: "admin" })
const params = WorkspaceParameters

const ListQuery = Type.Intersect([
  pageQuery(10, 1000),
  Type.Object({
    sort: enumeration(LISTING_SORTS, { default: "created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(Type.String({ description: "In brackets: `filter[id]=team-a`." })),
    search: Type.Optional(Type.String({ description: "In brackets: `search[description]=vision`." })),
  }),
])

/** Defines the routes for workspaces as namespaces of the entity store, under `/v1`. */
export function namespaceRoutes(app: App, { registry: { workspaces } }: Services): void {
  const ONE = "/namespaces/:ws"
  app.post(
    "/namespaces",
    create({ summary: "Create a namespace: a workspace", body: CreateNamespace, response: created(Namespace) }),
    async ({ body }, reply) => {
      const description = descriptionOf(body) ?? ""
      return reply.code(201).send(namespaceOf(await workspaces.create({ name: body.id, description })))
    },
  )
  app.get(
    "/namespaces",
    list({
      summary: "List namespaces",
      querystring: ListQuery,
      response: ok(entityListOf(Namespace, "NamespaceList")),
    }),
    async (request) => {
      const { page, page_size, sort } = request.query
      const { where, filter } = parseNamespaceListing(queryPairs(request.query))
      const found = await workspaces.list({ page, page_size, sort, where }, visibleWorkspaces(callerOf(request)))
      return { ...found, object: "list" as const, data: found.data.map(namespaceOf), sort, filter }
    },
  )
  app.get(ONE, read({ summary: "Get a namespace", params, response: ok(Namespace) }), async (request) =>
    namespaceOf(await workspaces.get(request.params.ws)),
  )
  app.patch(
    ONE,
    administer({ summary: "Update a namespace", params, body: UpdateNamespace, response: ok(Namespace) }),
    async ({ params: { ws }, body }) => {
      checkSameName(body.id, ws, "id")
      const description = descriptionOf(body)
      return namespaceOf(
        await (description === undefined ? workspaces.get(ws) : workspaces.update(ws, { description })),
      )
    },
  )
  app.delete(
    ONE,
    administer({ summary: "Delete a namespace that holds no data", params, response: ok(DeletedEntity) }),
    async (request) => deletedEntity((await workspaces.remove(request.params.ws, { cascade: false })).name),
  )
}

/** Defines the routes for workspaces as namespaces of the data store, under `/v1`. Its clients send forms. */
export function dataStoreRoutes(app: App, { registry: { workspaces } }: Services): void {
  const ALL = "/datastore/namespaces"
  const ONE = `${ALL}/:ws` as const
  installFormParser(app)
  app.post(
    ALL,
    create({
      summary: "Create a namespace of the data store: a workspace",
      body: Type.Object({ namespace: WorkspaceName }, { additionalProperties: false }),
      response: created(DataStoreNamespace),
    }),
    async ({ body }, reply) =>
      reply.code(201).send(dataStoreNamespaceOf(await workspaces.create({ name: body.namespace }))),
  )
  app.get(
    ALL,
    list({
      summary: "List the namespaces of the data store",
      querystring: pageQuery(10, 1000),
      response: ok(entityListOf(DataStoreNamespace, "DataStoreNamespaceList")),
    }),
    async (request) => {
      const sort = "created_at"
      const found = await workspaces.list({ ...request.query, sort }, visibleWorkspaces(callerOf(request)))
      return { ...found, object: "list" as const, data: found.data.map(dataStoreNamespaceOf), sort, filter: {} }
    },
  )
  app.get(
    ONE,
    read({ summary: "Get a namespace of the data store", params, response: ok(DataStoreNamespace) }),
    async (request) => dataStoreNamespaceOf(await workspaces.get(request.params.ws)),
  )
  app.delete(
    ONE,
    administer({
      summary: "Delete a namespace of the data store that holds no data",
      params,
      response: ok(DeletedEntity),
    }),
    async (request) => deletedEntity((await workspaces.remove(request.params.ws, { cascade: false })).name),
  )
}
