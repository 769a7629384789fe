import type { Row, RowReader } from "@assay/contents"
import {
  AnyName,
  numberField,
  parseColumnFilters,
  RowPage,
  RowProfile,
  RowReport,
  RowSearchPage,
  RowTrial,
} from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { Type, type Static } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { refuseBody } from "../http/refuse-body.ts"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, filterParameters, NamedParameters, ok } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import type { Services } from "../services.ts"
import { columnsOf, formatRows } from "./format-rows.ts"

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
const filter = Type.Optional(
  Type.String({ description: "As of `/rows`: columns with their values, in brackets. All of them must hold." }),
)
const searched = {
  path: Type.String({ description: "The file whose rows are searched." }),
  filter,
  invalid: Type.Boolean({ default: false, description: "Only rows with issues." }),
  issue: Type.Optional(
    Type.String({
      description: "With `invalid`: the pointer and the message of a kind, such as `/label must be string`.",
    }),
  ),
}
const SearchQuery = Type.Object({
  ...searched,
  offset: numberField("offset", { default: 0, description: "Position of the first row among those that were found." }),
  from: Type.Optional(
    numberField("offset", { description: "Begin at the first row from this index on, instead of `offset`." }),
  ),
  limit: Type.Integer({ minimum: 0, maximum: 1000, default: 100, description: "Maximum number of rows." }),
})
const ExportQuery = Type.Object({
  ...searched,
  format: Type.Union([Type.Literal("csv"), Type.Literal("jsonl")], { default: "jsonl" }),
  columns: Type.Optional(
    Type.String({
      description: "Names of columns, separated by commas. Absent: all columns of the rows, at most 10,000.",
    }),
  ),
})
const TrialBody = Type.Object(
  { path, schema: Type.Record(AnyName, Type.Unknown(), { description: "A JSON Schema, 2020-12." }) },
  { additionalProperties: false },
)

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
  rowSearchRoutes(app, rows, open)
}

/** Opens the fileset in the path of a request. */
type OpenRows = (request: FastifyRequest) => Promise<Parameters<RowReader["page"]>[0]>

/** Defines the routes that apply the schemas of rows, and propose one. */
function rowSchemaRoutes(app: App, rows: RowReader, open: OpenRows): void {
  app.post(
    `${FILESET}/validate`,
    {
      ...read({
        summary: "Validate every row against the schema of its path",
        params,
        querystring: ValidateQuery,
        response: ok(RowReport),
      }),
      preValidation: refuseBody,
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, max_issues: maxIssues } = request.query
      return rows.validate(await open(request), { path, maxIssues, signal })
    },
  )
  app.post(
    `${FILESET}/try-schema`,
    read({
      summary: "Check the first 1,000 rows with another schema",
      params,
      body: TrialBody,
      response: ok(RowTrial),
    }),
    async (request, reply) => {
      const { path, schema } = request.body
      return rows.trySchema(await open(request), { path, schema, signal: clientSignal(reply.raw) })
    },
  )
  app.post(
    `${FILESET}/infer-schema`,
    {
      ...read({
        summary: "Propose a row schema that the first rows satisfy",
        params,
        querystring: InferQuery,
        response: ok(ProposedSchema),
      }),
      preValidation: refuseBody,
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, rows: first } = request.query
      return rows.inferSchema(await open(request), { path, rows: first, signal })
    },
  )
}

/** Defines the routes that search all rows of a file, and send those that were found. */
function rowSearchRoutes(app: App, rows: RowReader, open: OpenRows): void {
  app.get(
    `${FILESET}/rows/search`,
    read({
      summary: "Search all rows of a file, and count those that match",
      params,
      querystring: SearchQuery,
      response: ok(RowSearchPage),
    }),
    async (request, reply) => {
      const { offset, from, limit } = request.query
      const question = questionOf(request.query)
      const signal = clientSignal(reply.raw)
      return rows.search(await open(request), { ...question, offset, from, limit, waitMs: WAIT_MS, signal })
    },
  )
  app.get(
    `${FILESET}/rows/export`,
    read({
      summary: "Download the rows of a file that match, as CSV or JSON lines",
      params,
      querystring: ExportQuery,
      response: {
        200: Type.String({ contentMediaType: "application/x-ndjson", description: "The rows, in their order." }),
        ...errorResponses,
      },
    }),
    async (request, reply) => {
      const { format, columns } = request.query
      const question = questionOf(request.query)
      const signal = clientSignal(reply.raw)
      const fileset = await open(request)
      const isAll = question.filters.length === 0 && !question.isInvalid
      const found = isAll ? undefined : await rows.find(fileset, { ...question, signal })
      const scan = (use: (batches: AsyncIterable<{ readonly rows: readonly Row[] }>) => Promise<unknown>) =>
        rows.files.scan(fileset, [question.path], { metadata: fileset.metadata, signal, use })
      let names: readonly string[] | undefined = columns === undefined ? undefined : [...new Set(columns.split(","))]
      // The titles of CSV come first, and any row can have a column of its own.
      if (format === "csv" && names === undefined) {
        await scan(async (batches) => {
          names = await columnsOf(batches, { found })
        })
      }
      await scan((batches) =>
        sendPieces(reply, formatRows(batches, { found, format, columns: names }), {
          "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
          "content-disposition": `attachment; filename="${exportName(question.path, format)}"`,
          "x-content-type-options": "nosniff",
        }),
      )
      return reply
    },
  )
}

/** Returns the name of a downloaded file: that of the file of rows, as far as every system allows it. */
function exportName(path: string, format: string): string {
  const name =
    path
      .split("/")
      .at(-1)
      ?.replaceAll(/[^\w.-]/gu, "_") ?? "rows"
  return `${name}.${format}`
}

/** Milliseconds that an answer waits for the end of a search. */
const WAIT_MS = 1500

/** Reads what a request searches for. */
function questionOf(query: Static<typeof ExportQuery> | Static<typeof SearchQuery>) {
  const [, pointer = "", message = ""] = /^(\S*) (.*)$/su.exec(query.issue ?? "") ?? []
  return {
    path: parseFilePath(query.path),
    filters: parseColumnFilters(filterParameters(query)),
    isInvalid: query.invalid,
    issue: query.issue === undefined ? undefined : { pointer, message },
  }
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
