import { checkNamespace } from "@assay/registry"
import {
  changesOfDataset,
  checkSameName,
  CreateDataset,
  Dataset,
  datasetOf,
  DeletedEntity,
  deletedEntity,
  entityListOf,
  enumeration,
  FILESET_SORTS,
  filesetOfDataset,
  isAssayError,
  parseDatasetFilter,
  UpdateDataset,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { requireRole, visibleWorkspaces } from "@assay/access"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { filterParameters, NamedParameters, ok, pageQuery } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { useNamespace } from "./use-namespace.ts"

const ALL = "/datasets"
const ONE = `${ALL}/:ws/:name` as const

const anybody = describeRoutes("platform v1", { scope: "any" })
const read = describeRoutes("platform v1", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("platform v1", { scope: "workspace", role: "editor" })
const one = { params: NamedParameters, response: ok(Dataset) }

const ListQuery = Type.Intersect([
  pageQuery(10, 100),
  Type.Object({
    sort: enumeration(FILESET_SORTS, { default: "created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(Type.String({ description: "In brackets: `filter[namespace]=team-a`." })),
  }),
])

/** Defines the routes for filesets with the purpose `dataset` as datasets, under `/v1`. */
export function datasetRoutes(app: App, services: Services): void {
  const { registry } = services
  const { filesets } = registry
  datasetRecordRoutes(app, services)

  app.post(
    ALL,
    anybody({
      summary: "Register a dataset: the fileset with its name, which is created if it does not exist",
      body: CreateDataset,
      response: ok(Dataset),
    }),
    async (request, reply) => {
      const { body } = request
      const { namespace = "default" } = body
      requireRole(callerOf(request), namespace, "editor")
      await useNamespace({ registry }, callerOf(request), namespace)
      await checkNamespace(registry, namespace)
      const fileset = filesetOfDataset(body, (endpoint) => isThisServer(request, endpoint))
      try {
        const own = registryOf({ registry }, request).filesets
        return datasetOf(await own.create(namespace, fileset, { signal: clientSignal(reply.raw) }))
      } catch (error) {
        // The platform's own guide sends the files first and registers the dataset later.
        if (!isAssayError(error, "already_exists") || fileset.storage !== undefined) throw error
        const { files_url: _same, ...changes } = body
        const found = await filesets.get(namespace, fileset.name)
        const update = { ...changesOfDataset(changes, found), purpose: "dataset" as const }
        return datasetOf(await filesets.update(namespace, fileset.name, update))
      }
    },
  )
  app.get(
    ALL,
    anybody({
      summary: "List datasets of all namespaces that the caller may see",
      querystring: ListQuery,
      response: ok(entityListOf(Dataset, "DatasetList")),
    }),
    async (request) => {
      const { page, page_size, sort } = request.query
      const { filter, given } = parseDatasetFilter(filterParameters(request.query))
      const query = { page, page_size, sort, filter }
      const found = await filesets.list(undefined, query, visibleWorkspaces(callerOf(request)))
      return { ...found, object: "list" as const, data: found.data.map(datasetOf), sort, filter: given }
    },
  )
}

/** Defines the routes to read, change and delete one dataset. */
function datasetRecordRoutes(app: App, services: Services): void {
  const { filesets } = services.registry
  app.get(ONE, read({ summary: "Get a dataset", ...one }), async ({ params: { ws, name } }) =>
    datasetOf(await filesets.get(ws, name)),
  )
  app.patch(
    ONE,
    edit({ summary: "Update a dataset", body: UpdateDataset, ...one }),
    async ({ params: { ws, name }, body }) => {
      checkSameName(body.name, name)
      checkSameName(body.namespace, ws, "namespace")
      return datasetOf(await filesets.update(ws, name, changesOfDataset(body, await filesets.get(ws, name))))
    },
  )
  app.delete(
    ONE,
    edit({ summary: "Delete a dataset and its files", params: NamedParameters, response: ok(DeletedEntity) }),
    async (request) => {
      const { ws, name } = request.params
      return deletedEntity((await registryOf(services, request).filesets.remove(ws, name)).id)
    },
  )
}

/** Returns whether `endpoint` is the origin at which the sender reaches this server. */
function isThisServer({ protocol, host }: FastifyRequest, endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).origin === new URL(`${protocol}://${host}`).origin
}
