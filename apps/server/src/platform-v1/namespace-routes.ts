import {
  AnyName,
  enumeration,
  invalidRequest,
  LISTING_SORTS,
  parseListingQuery,
  Timestamp,
  WORKSPACE_LISTING,
  WorkspaceName,
  type Workspace,
} from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import type { App } from "../app.ts"
import { access, callerOf } from "../auth/access.ts"
import { visibleWorkspaces } from "../auth/require-role.ts"
import { queryPairs } from "../evaluation/list-jobs.ts"
import { errorResponses } from "../http/error-responses.ts"
import { pageQuery } from "../http/page-query.ts"
import { WorkspaceParameters } from "../http/path-parameters.ts"
import type { Services } from "../services.ts"
import { DeletedEntity, deletedEntity, entityListOf, Ownership } from "./entity-list.ts"

const tags = ["platform v1"]
const administer = access({ scope: "workspace", role: "admin" })

const Namespace = Type.Object(
  {
    id: Type.String({ description: "The name of the workspace." }),
    created_at: Timestamp,
    updated_at: Timestamp,
    description: Type.String(),
    project: Type.Null(),
    custom_fields: Type.Record(AnyName, Type.Unknown()),
    ownership: Type.Null(),
  },
  { $id: "Namespace" },
)

const changeable = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  project: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  custom_fields: Type.Optional(Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])),
  ownership: Type.Optional(Ownership),
}
const CreateNamespace = Type.Object({ id: WorkspaceName, ...changeable }, { additionalProperties: false })
const UpdateNamespace = Type.Object(changeable, { additionalProperties: false })

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

/** @throws `invalid_request` for what a workspace can't keep, since it would be lost without a word */
function checkKept({ project, custom_fields }: Static<typeof UpdateNamespace>): void {
  const msg = "A workspace keeps nothing but its name and description; leave this out"
  if (Object.keys(custom_fields ?? {}).length > 0) throw invalidRequest(["body", "custom_fields"], msg, "not_kept")
  if (project !== undefined && project !== null) throw invalidRequest(["body", "project"], msg, "not_kept")
}

/** Their `id` is our `name`. */
function byName<Value>({ id, ...fields }: { readonly id?: Value; readonly name?: Value }) {
  return id === undefined ? fields : { ...fields, name: id }
}

/** Workspaces as namespaces, under `/v1`. */
export function namespaceRoutes(app: App, { registry: { workspaces } }: Services): void {
  app.post(
    "/namespaces",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: {
        tags,
        summary: "Create a namespace: a workspace",
        body: CreateNamespace,
        response: { 201: Namespace, ...errorResponses },
      },
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
        response: { 200: entityListOf(Namespace, "NamespaceList"), ...errorResponses },
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
      schema: {
        tags,
        summary: "Get a namespace",
        params: WorkspaceParameters,
        response: { 200: Namespace, ...errorResponses },
      },
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
        response: { 200: Namespace, ...errorResponses },
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
        response: { 200: DeletedEntity, ...errorResponses },
      },
    },
    async ({ params }) => deletedEntity((await workspaces.remove(params.ws, { cascade: false })).name),
  )
}
