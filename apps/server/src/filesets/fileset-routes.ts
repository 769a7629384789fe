import { clientSignal } from "@assay/http/server"
import { requireRole, visibleWorkspaces } from "@assay/registry/tokens"
import {
  CreateFileset,
  enumeration,
  Fileset,
  FILESET_SORTS,
  FilesetFilter,
  FilesetPage,
  MAX_FILESET_PAGE_SIZE,
  type Metadata,
  neutralStorage,
  parseFilesetFilter,
  UpdateFileset,
  vendorStorage,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access, callerOf } from "../auth/access.ts"
import { registryOf } from "../auth/secret-rights.ts"
import { loadContents } from "../contents/load-contents.ts"
import { openNamedFileset } from "../contents/open-named-fileset.ts"
import type { App } from "../http/app.ts"
import { filterParameters, NamedParameters, ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["filesets"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

const ListFilesetsQuery = Type.Intersect([
  pageQuery(10, MAX_FILESET_PAGE_SIZE),
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

/** Replaces vendors' names in a body by ours before it is validated. `storage: null` means that no storage is given. */
function readStorage(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("storage" in body)) return body
  const { storage, ...rest } = body
  return storage === null ? rest : { ...rest, storage: neutralStorage(storage) }
}

/** Defines the routes for filesets, under `/apis/files/v2`. */
export function filesetRoutes(app: App, services: Services): void {
  const { registry, wireNames } = services
  const present = (fileset: Fileset): Fileset =>
    wireNames === "vendor" ? { ...fileset, storage: vendorStorage(fileset.storage) as Fileset["storage"] } : fileset

  app.post(
    "/workspaces/:ws/filesets",
    {
      config: edit,
      preValidation: (request, _reply, done) => {
        request.body = readStorage(request.body) as CreateFileset
        done()
      },
      schema: {
        tags,
        summary: "Create a fileset",
        params: WorkspaceParameters,
        body: CreateFileset,
        response: ok(Fileset),
      },
    },
    async (request, reply) => {
      const { ws } = request.params
      await checkMetadata(request.body.metadata ?? {}, services, { request, reply })
      const { filesets } = registryOf({ registry }, request)
      return present(await filesets.create(ws, request.body, { signal: clientSignal(reply.raw) }))
    },
  )
  app.get(
    "/workspaces/:ws/filesets",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "List filesets; the workspace `-` lists those of all workspaces that the caller may see",
        params: WorkspaceParameters,
        querystring: ListFilesetsQuery,
        response: ok(FilesetPage),
      },
    },
    async (request) => {
      const { ws } = request.params
      const { page, page_size, sort } = request.query
      const caller = callerOf(request)
      if (ws !== "-") requireRole(caller, ws, "viewer")
      const filter = parseFilesetFilter(filterParameters(request.query))
      const query = { page, page_size, sort, ...(filter === undefined ? {} : { filter }) }
      const found = await registry.filesets.list(ws === "-" ? undefined : ws, query, visibleWorkspaces(caller))
      return wireNames === "vendor" ? { ...found, data: found.data.map(present) } : found
    },
  )
  app.get(
    "/workspaces/:ws/filesets/:name",
    { config: read, schema: { tags, summary: "Get a fileset", params: NamedParameters, response: ok(Fileset) } },
    async (request) => present(await registry.filesets.get(request.params.ws, request.params.name)),
  )
  app.patch(
    "/workspaces/:ws/filesets/:name",
    {
      config: edit,
      schema: {
        tags,
        summary: "Update or rename a fileset",
        params: NamedParameters,
        body: UpdateFileset,
        response: ok(Fileset),
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      await checkMetadata(request.body.metadata ?? {}, services, { request, reply })
      return present(await registry.filesets.update(ws, name, request.body))
    },
  )
  app.delete(
    "/workspaces/:ws/filesets/:name",
    {
      config: edit,
      schema: { tags, summary: "Delete a fileset and its bytes", params: NamedParameters, response: ok(Fileset) },
    },
    async (request) => present(await registry.filesets.remove(request.params.ws, request.params.name)),
  )
}

/**
 * Checks the parts of metadata that a request schema can't check: row schemas and references to them, chat templates, plugins.
 * @throws `invalid_request` with an issue for each wrong key; `schema_too_costly`
 */
async function checkMetadata(
  { dataset, model }: Metadata,
  { registry, schemas, allowPlugins }: Services,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  if (dataset === undefined && model === undefined) return
  const { ws } = request.params as { readonly ws: string }
  const signal = clientSignal(reply.raw)
  const { checkDatasetMetadata, checkModelMetadata } = await loadContents()
  if (dataset !== undefined) await checkDatasetMetadata(dataset, { schemas: await schemas.of(ws), signal })
  if (model === undefined) return
  // Plugins that the operator does not allow are dropped later, without being checked. Warnings come from the analysis.
  await checkModelMetadata(model, { allowPlugins, openFileset: openNamedFileset(registry, callerOf(request)), signal })
}
