import { visibleWorkspaces } from "@assay/registry/tokens"
import {
  CreateNamespace,
  enumeration,
  invalidRequest,
  LISTING_SORTS,
  Namespace,
  parseListingQuery,
  UpdateNamespace,
  type Workspace,
  WORKSPACE_LISTING,
} from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import { queryPairs } from "../evaluation/list-jobs.ts"
import type { App } from "../http/app.ts"
import { created, ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { DeletedEntity, deletedEntity, entityListOf } from "./entity-list.ts"

const tags = ["platform v1"]
const administer = access({ scope: "workspace", role: "admin" })

const ListNamespacesQuery = Type.Intersect([
  pageQuery(10, 1000),
  Type.Object({
    sort: enumeration(LISTING_SORTS, { default: "created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(Type.String({ description: "In brackets: `filter[id]=team-a`." })),
    search: Type.Optional(Type.String({ description: "In brackets: `search[description]=vision`." })),
  }),
])

function namespaceOf({ name, description, created_at, updated_at }: Workspace): Static<typeof Namespace> {
  return { id: name, created_at, updated_at, description, project: null, custom_fields: {}, ownership: null }
}

/** Checks that a body has only fields that a workspace can store. @throws `invalid_request` for fields that would be lost */
function checkKept({ project, custom_fields }: Static<typeof UpdateNamespace>): void {
  const msg = "A workspace stores only its name and description; leave this out"
  if (Object.keys(custom_fields ?? {}).length > 0) throw invalidRequest(["body", "custom_fields"], msg, "not_kept")
  if (project !== undefined && project !== null) throw invalidRequest(["body", "project"], msg, "not_kept")
}

/** Renames `id`, which is the `name` of a workspace. */
function byName<Value>({ id, ...fields }: { readonly id?: Value; readonly name?: Value }) {
  return id === undefined ? fields : { ...fields, name: id }
}

/** Defines the routes for workspaces as namespaces, under `/v1`. */
export function namespaceRoutes(app: App, { registry: { workspaces } }: Services): void {
  app.post(
    "/namespaces",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: { tags, summary: "Create a namespace: a workspace", body: CreateNamespace, response: created(Namespace) },
    },
    async ({ body }, reply) => {
      checkKept(body)
      const made = await workspaces.create({ name: body.id, description: body.description ?? "" })
      return reply.code(201).send(namespaceOf(made))
    },
  )
  app.get(
    "/namespaces",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "List namespaces",
        querystring: ListNamespacesQuery,
        response: ok(entityListOf(Namespace, "NamespaceList")),
      },
    },
    async (request) => {
      const { page, page_size, sort } = request.query
      const { query, filter } = parseListingQuery(queryPairs(request.query), WORKSPACE_LISTING)
      const where = { ...query, equals: byName(query.equals), contains: byName(query.contains) }
      const found = await workspaces.list({ page, page_size, sort, where }, visibleWorkspaces(callerOf(request)))
      return { ...found, object: "list" as const, data: found.data.map(namespaceOf), sort, filter }
    },
  )
  app.get(
    "/namespaces/:ws",
    {
      config: access({ scope: "workspace", role: "viewer" }),
      schema: { tags, summary: "Get a namespace", params: WorkspaceParameters, response: ok(Namespace) },
    },
    async ({ params }) => namespaceOf(await workspaces.get(params.ws)),
  )
  app.patch(
    "/namespaces/:ws",
    {
      config: administer,
      schema: {
        tags,
        summary: "Update a namespace",
        params: WorkspaceParameters,
        body: UpdateNamespace,
        response: ok(Namespace),
      },
    },
    async ({ params, body }) => {
      checkKept(body)
      if (body.description === undefined) return namespaceOf(await workspaces.get(params.ws))
      return namespaceOf(await workspaces.update(params.ws, { description: body.description ?? "" }))
    },
  )
  app.delete(
    "/namespaces/:ws",
    {
      config: administer,
      schema: {
        tags,
        summary: "Delete a namespace that holds no data",
        params: WorkspaceParameters,
        response: ok(DeletedEntity),
      },
    },
    async ({ params }) => deletedEntity((await workspaces.remove(params.ws, { cascade: false })).name),
  )
}
