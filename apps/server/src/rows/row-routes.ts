import type { RowIndexStore } from "@assay/contents"
import { rowFormatOf } from "@assay/contents/row-format"
import { clientSignal } from "@assay/http/server"
import { AnyName, RowPage, RowProfile, RowReport } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access } from "../auth/access.ts"
import { registryOf } from "../auth/secret-rights.ts"
import { createTurns } from "../contents/create-turns.ts"
import { loadContents } from "../contents/load-contents.ts"
import type { App } from "../http/app.ts"
import { NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const FILESET = "/workspaces/:ws/filesets/:name"
/** Maximum number of concurrent requests that read whole filesets. More would slow down all requests. */
const READING_AT_A_TIME = 4
/** Maximum number of concurrent pages of Parquet files. Each is decoded in a process of its own. */
const PARQUET_PAGES_AT_A_TIME = 4

const config = access({ scope: "workspace", role: "viewer" })
const route = { tags: ["rows"], params: NamedParameters }
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
  offset: Type.Integer({ minimum: 0, default: 0, description: "Index of the first row." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "Maximum number of rows. Large rows can make the page smaller: continue at `next_offset`.",
  }),
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
export function rowRoutes(app: App, { registry, schemas, cores }: Services): void {
  let indexes: RowIndexStore | undefined
  const turns = createTurns(READING_AT_A_TIME)
  const parquetTurns = createTurns(PARQUET_PAGES_AT_A_TIME)

  async function open(request: FastifyRequest, { ws, name }: { readonly ws: string; readonly name: string }) {
    const { filesets, files } = registryOf({ registry }, request)
    const { id, metadata } = await filesets.get(ws, name)
    return { id, metadata: metadata.dataset, storage: await files.open(ws, name) }
  }

  app.post(
    `${FILESET}/validate`,
    {
      config,
      schema: {
        ...route,
        summary: "Validate every row against the schema of its path",
        querystring: ValidateQuery,
        response: ok(RowReport),
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, max_issues: maxIssues } = request.query
      const { storage, metadata } = await open(request, request.params)
      const { validateRows } = await loadContents()
      const runner = await schemas.of(request.params.ws)
      const options = { storage, schemas: runner, metadata, path, maxIssues, parallel: cores, signal }
      return turns.run(signal, () => validateRows(options))
    },
  )
  app.get(
    `${FILESET}/rows`,
    {
      config,
      schema: {
        ...route,
        summary: "Read some rows of a file, with the issues of each",
        querystring: RowsQuery,
        response: ok(RowPage),
      },
    },
    async (request, reply) => {
      const { path, offset, limit } = request.query
      const { id, storage, metadata } = await open(request, request.params)
      const { createMemoryRowIndexStore, readRowsPage } = await loadContents()
      indexes ??= createMemoryRowIndexStore()
      const signal = clientSignal(reply.raw)
      const checkedBy = metadata === undefined ? undefined : { metadata, schemas: await schemas.of(request.params.ws) }
      const options = { offset, limit, checkedBy, indexes: storeOf(id, indexes), signal }
      const readPage = () => readRowsPage(storage, parseFilePath(path), options)
      return rowFormatOf(path)?.encoding === "parquet" ? parquetTurns.run(signal, readPage) : readPage()
    },
  )
  app.post(
    `${FILESET}/infer-schema`,
    {
      config,
      schema: {
        ...route,
        summary: "Propose a row schema that the first rows satisfy",
        querystring: InferQuery,
        response: ok(ProposedSchema),
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path, rows } = request.query
      const { storage } = await open(request, request.params)
      const { inferSchema } = await loadContents()
      return turns.run(signal, () => inferSchema(storage, path, { rows, signal }))
    },
  )
  app.get(
    `${FILESET}/profile`,
    {
      config,
      schema: {
        ...route,
        summary: "Get types, missing and frequent values, ranges and lengths per column",
        querystring: ProfileQuery,
        response: ok(RowProfile),
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { path } = request.query
      const { storage, metadata } = await open(request, request.params)
      const { profileRows } = await loadContents()
      return turns.run(signal, () => profileRows({ storage, metadata, path, signal }))
    },
  )
}

/** Returns the part of `indexes` for one fileset: files of two filesets can have the same path and version. */
function storeOf(fileset: string, indexes: RowIndexStore): RowIndexStore {
  return {
    get: (key) => indexes.get(`${fileset} ${key}`),
    set: (key, index) => indexes.set(`${fileset} ${key}`, index),
  }
}
