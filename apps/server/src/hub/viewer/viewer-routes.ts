import { requireRole } from "@assay/access"
import { createDatasetViewer, type DatasetViewer, parseRepositoryId, type ViewedDataset } from "@assay/hub"
import { clientSignal } from "@assay/http/node"
import {
  numberField,
  ViewerFirstRows,
  ViewerParquet,
  ViewerRows,
  ViewerSize,
  ViewerSplits,
  ViewerStatistics,
  ViewerValidity,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"

const tags = ["hub"]
/** The workspace is in the query: the routes check the role in it themselves. */
const config = access({ scope: "any" })

const DatasetQuery = Type.Object({
  dataset: Type.String({ maxLength: 400, description: "`{workspace}/{fileset}`" }),
  config: Type.Optional(Type.String({ description: "`default`, the only subset." })),
})
const SplitQuery = Type.Object({ ...DatasetQuery.properties, split: Type.String({ description: "Such as `train`." }) })
const PageQuery = Type.Object({
  ...SplitQuery.properties,
  offset: numberField("offset", { default: 0, description: "Index of the first row." }),
  length: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "Maximum number of rows." }),
})
const SearchQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.String({ description: "Words that the texts of a row contain, in any case." }),
})
const FilterQuery = Type.Object({
  ...PageQuery.properties,
  where: Type.Optional(
    Type.String({ description: 'Comparisons such as `"age">30 AND ("name"=\'Simone\' OR "city" IS NULL)`.' }),
  ),
  orderby: Type.Optional(Type.String({ description: 'Such as `"age" DESC`. Pages end at row 10,000.' })),
})

/** Opens the dataset of a request, with the rights of its sender. */
type View = (request: FastifyRequest, reply: FastifyReply) => Promise<ViewedDataset>

/** Defines the interface of the dataset viewer. Work ends when the client disconnects. */
export function viewerRoutes(app: App, services: Services): void {
  const viewer = createDatasetViewer()
  const view: View = async (request, reply) => {
    const signal = clientSignal(reply.raw)
    const { dataset } = request.query as { readonly dataset: string }
    const { ws, name } = parseRepositoryId(dataset)
    requireRole(callerOf(request), ws, "viewer")
    const { filesets, files } = registryOf(services, request)
    const { id, metadata } = await filesets.get(ws, name)
    const fileset = { id, workspace: ws, metadata: metadata.dataset, storage: await files.open(ws, name) }
    return { dataset: `${ws}/${name}`, fileset, reader: services.rows, signal }
  }
  datasetRoutes(app, viewer, view)
  splitRoutes(app, viewer, view)
}

/** Defines the routes that describe a whole dataset. */
function datasetRoutes(app: App, viewer: DatasetViewer, view: View): void {
  const schema = (summary: string) => ({ tags, summary, querystring: DatasetQuery })
  app.get(
    "/is-valid",
    { config, schema: { ...schema("Say what the dataset viewer can show"), response: { 200: ViewerValidity } } },
    async (request, reply) => viewer.validity(await view(request, reply)),
  )
  app.get(
    "/splits",
    { config, schema: { ...schema("List the splits of a dataset"), response: { 200: ViewerSplits } } },
    async (request, reply) => viewer.splits(await view(request, reply), request.query.config),
  )
  app.get(
    "/size",
    { config, schema: { ...schema("Count rows and bytes of a dataset"), response: { 200: ViewerSize } } },
    async (request, reply) => viewer.size(await view(request, reply), request.query.config),
  )
  app.get(
    "/parquet",
    { config, schema: { ...schema("List the Parquet files of a dataset"), response: { 200: ViewerParquet } } },
    async (request, reply) => viewer.parquet(await view(request, reply), hubUrl(request), request.query.config),
  )
}

/** Defines the routes that read the rows of a split. */
function splitRoutes(app: App, viewer: DatasetViewer, view: View): void {
  app.get(
    "/first-rows",
    {
      config,
      schema: { tags, summary: "Read the first rows", querystring: SplitQuery, response: { 200: ViewerFirstRows } },
    },
    async (request, reply) => viewer.firstRows(await view(request, reply), request.query),
  )
  app.get(
    "/rows",
    { config, schema: { tags, summary: "Read some rows", querystring: PageQuery, response: { 200: ViewerRows } } },
    async (request, reply) => viewer.rows(await view(request, reply), request.query),
  )
  app.get(
    "/search",
    { config, schema: { tags, summary: "Search rows", querystring: SearchQuery, response: { 200: ViewerRows } } },
    async (request, reply) => viewer.search(await view(request, reply), request.query),
  )
  app.get(
    "/filter",
    { config, schema: { tags, summary: "Filter rows", querystring: FilterQuery, response: { 200: ViewerRows } } },
    async (request, reply) => {
      const { where, orderby, ...page } = request.query
      return viewer.filter(await view(request, reply), { ...page, where, orderby })
    },
  )
  app.get(
    "/statistics",
    {
      config,
      schema: { tags, summary: "Describe columns", querystring: SplitQuery, response: { 200: ViewerStatistics } },
    },
    async (request, reply) => viewer.statistics(await view(request, reply), request.query),
  )
}
