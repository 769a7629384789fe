import type { RowReader } from "@assay/contents"
import { AnyName, numberField, parseColumnFilters, RowPage, RowProfile, RowReport } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { filterParameters, NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const FILESET = "/workspaces/:ws/filesets/:name"
const read = describeRoutes("rows", { scope: "workspace", role: "viewer" })
const params = NamedParameters

const path = Type.Optional(
  Type.String({
    description: "The file of this path, or everything below the folder of this path. Absent: all files.",
  }),
)
const ValidateQuery = Type.Object({
  path,
  max_issues: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 100,
    description: "Maximum number of issues listed per file.",
  }),
})
const RowsQuery = Type.Object({
  path: Type.String({ description: "The file whose rows are read." }),
  offset: numberField("offset", { default: 0, description: "Index of the first row." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "Maximum number of rows. Large rows can make the page smaller: continue at `next_offset`.",
  }),
  filter: Type.Optional(
    Type.String({
      description:
        "Columns with their values, in brackets: `filter[label]=good`, `filter[score][$gte]=0.5`, `filter[/meta/lang][$in]=de,en`, `filter[note][$like]=refund`. " +
        "All of them must hold. A page then has the next rows from `offset` on that match.",
    }),
  ),
})
const InferQuery = Type.Object({
  path,
  rows: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 1000,
    description: "Maximum number of rows that are read.",
  }),
})
const ProfileQuery = Type.Object({ path })

const ProposedSchema = Type.Record(AnyName, Type.Unknown(), { description: "A JSON Schema, 2020-12." })

/** Defines the routes that validate, read and profile the rows of a fileset. Work ends when the client disconnects. */
export function rowRoutes(app: App, { registry, rows }: Services): void {
  const open: OpenRows = async (request) => {
    const { ws, name } = request.params as { readonly ws: string; readonly name: string }
    const { filesets, files } = registryOf({ registry }, request)
    const { id, metadata } = await filesets.get(ws, name)
    return { id, workspace: ws, metadata: metadata.dataset, storage: await files.open(ws, name) }
  }
  rowSchemaRoutes(app, rows, open)
  rowReadingRoutes(app, rows, open)
}

/** Opens the fileset in the path of a request. */
type OpenRows = (request: FastifyRequest) => Promise<Parameters<RowReader["page"]>[0]>

/** Defines the routes that apply the schemas of rows, and propose one. */
function rowSchemaRoutes(app: App, rows: RowReader, open: OpenRows): void {
  app.post(
    `${FILESET}/validate`,
    read({
      summary: "Validate every row against the schema of its path",
      params,
      querystring: ValidateQuery,
      response: ok(RowReport),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, max_issues: maxIssues } = request.query
      return rows.validate(await open(request), { path, maxIssues, signal })
    },
  )
  app.post(
    `${FILESET}/infer-schema`,
    read({
      summary: "Propose a row schema that the first rows satisfy",
      params,
      querystring: InferQuery,
      response: ok(ProposedSchema),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, rows: first } = request.query
      return rows.inferSchema(await open(request), { path, rows: first, signal })
    },
  )
}

/** Defines the routes that show rows, and what their columns have. */
function rowReadingRoutes(app: App, rows: RowReader, open: OpenRows): void {
  app.get(
    `${FILESET}/rows`,
    read({
      summary: "Read some rows of a file, with the issues of each",
      params,
      querystring: RowsQuery,
      response: ok(RowPage),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { offset, limit } = request.query
      const path = parseFilePath(request.query.path)
      const filters = parseColumnFilters(filterParameters(request.query))
      return rows.page(await open(request), { path, offset, limit, filters, signal })
    },
  )
  app.get(
    `${FILESET}/profile`,
    read({
      summary: "Get types, missing and frequent values, ranges and lengths per column",
      params,
      querystring: ProfileQuery,
      response: ok(RowProfile),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      return rows.profile(await open(request), { path: request.query.path, signal })
    },
  )
}
