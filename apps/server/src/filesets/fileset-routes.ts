import { checkModel } from "@assay/checkpoints"
import { checkDatasetMetadata } from "@assay/contents"
import { isObject, withoutNulls } from "@assay/json"
import {
  CreateFileset,
  enumeration,
  type FilesetInclude,
  Fileset,
  FILESET_INCLUDES,
  FILESET_SORTS,
  FilesetFilter,
  FilesetPage,
  MAX_FILESET_PAGE_SIZE,
  neutralStorage,
  parseFilesetFilter,
  RemovedFileset,
  UpdateFileset,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { requireRole, visibleWorkspaces } from "@assay/access"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { filterParameters, NamedParameters, ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { callerFilesets } from "./caller-filesets.ts"
import { present } from "./present-fileset.ts"

const ALL = "/workspaces/:ws/filesets"
const ONE = `${ALL}/:name` as const

const list = describeRoutes("filesets", { scope: "any" })
const read = describeRoutes("filesets", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("filesets", { scope: "workspace", role: "editor" })
const one = { params: NamedParameters, response: ok(Fileset) }
const RemoveQuery = Type.Object({
  permanent: Type.Boolean({ default: false, description: "Whether the trash does not keep it." }),
})
const IncludeQuery = Type.Object({
  include: Type.Optional(
    enumeration(FILESET_INCLUDES, { description: "`usage`: number of files and bytes, as last known." }),
  ),
})

const ListQuery = Type.Intersect([
  pageQuery(10, MAX_FILESET_PAGE_SIZE),
  IncludeQuery,
  Type.Object({
    sort: enumeration(FILESET_SORTS, { default: "-created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(
      // Text in the URL, in any of the forms. The parser of filters checks it.
      Type.Union([Type.String(), Type.Array(Type.String()), FilesetFilter], {
        description:
          'Brackets (`filter[purpose]=dataset&filter[name][$like]=a`), JSON (`{"name":{"$like":"a"}}`) or text (`purpose:"dataset" AND created_at>"2025-01-01"`).',
      }),
    ),
  }),
])

/** Replaces vendors' names in a body by ours before it is validated. Null means that a field is not given. */
function readStorage(given: unknown): unknown {
  const body = withoutNulls(given, ["metadata"])
  return isObject(body) && "storage" in body ? { ...body, storage: neutralStorage(body["storage"]) } : body
}

/** Defines the routes for filesets, under `/apis/files/v2`. */
export function filesetRoutes(app: App, services: Services): void {
  createFilesetRoute(app, services)
  listFilesetsRoute(app, services)
  filesetRecordRoutes(app, services)
}

function createFilesetRoute(app: App, services: Services): void {
  app.post(
    ALL,
    {
      ...edit({
        summary: "Create a fileset",
        params: WorkspaceParameters,
        body: CreateFileset,
        response: ok(Fileset),
      }),
      preValidation: (request, _reply, done) => {
        request.body = readStorage(request.body) as CreateFileset
        done()
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      await checkMetadata(services, request, signal)
      const own = registryOf(services, request).filesets
      return present(await own.create(request.params.ws, request.body, { signal }), services)
    },
  )
}

function listFilesetsRoute(app: App, services: Services): void {
  const { registry, wireNames } = services
  const { filesets } = registry
  app.get(
    ALL,
    list({
      summary: "List filesets; the workspace `-` lists those of all workspaces that the caller may see",
      params: WorkspaceParameters,
      querystring: ListQuery,
      response: ok(FilesetPage),
    }),
    async (request) => {
      const { ws } = request.params
      const { page, page_size, sort } = request.query
      const caller = callerOf(request)
      if (ws !== "-") requireRole(caller, ws, "viewer")
      const query = { page, page_size, sort, filter: parseFilesetFilter(filterParameters(request.query)) }
      const found = await filesets.list(ws === "-" ? undefined : ws, query, visibleWorkspaces(caller))
      const { include } = request.query
      // An unchanged page is serialized once, see `rememberFrozen`.
      if (include === undefined && wireNames === "neutral") return found
      const data = await withUsage(found.data, include, registry)
      return { ...found, data: data.map((fileset) => present(fileset, services)) }
    },
  )
}

/** Defines the routes to read, change and delete one fileset. */
function filesetRecordRoutes(app: App, services: Services): void {
  const { registry } = services
  const { filesets } = registry
  app.get(
    ONE,
    read({ summary: "Get a fileset", querystring: IncludeQuery, ...one }),
    async ({ params: { ws, name }, query: { include } }) => {
      const found = await filesets.get(ws, name)
      const [fileset = found] = await withUsage([found], include, registry)
      return present(fileset, services)
    },
  )
  app.patch(
    ONE,
    edit({ summary: "Update or rename a fileset", body: UpdateFileset, ...one }),
    async (request, reply) => {
      const { ws, name } = request.params
      await checkMetadata(services, request, clientSignal(reply.raw))
      return present(await filesets.update(ws, name, request.body), services)
    },
  )
  app.delete(
    ONE,
    edit({
      summary: "Delete a fileset and its bytes; until `restorable_until` the trash keeps them",
      params: NamedParameters,
      querystring: RemoveQuery,
      response: ok(RemovedFileset),
    }),
    async (request) => {
      const { ws, name } = request.params
      return present(await registryOf(services, request).filesets.remove(ws, name, request.query), services)
    },
  )
}

/** Adds what `include` asks for, by one query for all of them. */
async function withUsage(
  found: Fileset[],
  include: FilesetInclude | undefined,
  { filesets }: Services["registry"],
): Promise<Fileset[]> {
  if (include === undefined) return found
  const usage = await filesets.usage(found)
  return found.map((fileset) => ({ ...fileset, usage: usage.get(fileset.id) ?? null }))
}

/** Checks the metadata in the body of a request, and the schemas that it refers to. */
async function checkMetadata(services: Services, request: FastifyRequest, signal: AbortSignal): Promise<void> {
  const { registry, schemas, allowPlugins } = services
  const { dataset, model } = (request.body as UpdateFileset).metadata ?? {}
  const { ws: workspace } = request.params as { readonly ws: string }
  if (dataset !== undefined) await checkDatasetMetadata(dataset, { schemas: await schemas.of(workspace), signal })
  const { openNamed: openFileset } = callerFilesets(registry, callerOf(request))
  if (model !== undefined) await checkModel(model, { allowPlugins, openFileset, signal })
}
