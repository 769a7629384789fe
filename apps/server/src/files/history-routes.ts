import { clientSignal } from "@assay/http/node"
import type { FileDifference, History } from "@assay/filesets"
import {
  FilesetDiff,
  FilesetHistory,
  formatTimestamp,
  KeptUsage,
  numberField,
  parseColumn,
  RestoredFileset,
  RestoreFileset,
  RowDiff,
} from "@assay/schemas"
import { parseFilePath, type FilePath } from "@assay/storage"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const FILESET = "/workspaces/:ws/filesets/:name"

const read = describeRoutes("files", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("files", { scope: "workspace", role: "editor" })
const params = NamedParameters

const path = Type.Optional(Type.String({ description: "Only this file, or the files below this folder." }))
const HistoryQuery = Type.Object({
  path,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Entries per page." }),
  page_token: Type.Optional(Type.String({ description: "`next_page_token` of the previous page." })),
})
const DiffQuery = Type.Object({
  from: Type.String({ description: "A revision: an id, its first seven digits, a tag, or a time." }),
  to: Type.Optional(Type.String({ description: "Another revision. Default: the present files." })),
  path,
  limit: numberField("count", { minimum: 0, maximum: 10_000, default: 1000, description: "Maximum number of files." }),
})

const RowDiffQuery = Type.Object({
  ...DiffQuery.properties,
  path: Type.String({ description: "The file whose rows are compared." }),
  key: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: "The field that names a row, or a JSON pointer to it." }),
  ),
  limit: numberField("count", { minimum: 0, maximum: 1000, default: 100, description: "Maximum number of rows." }),
})

/** Files that a response names. */
const MAX_NAMED = 1000

/** Defines the routes for what was replaced and deleted in a fileset: list it, compare revisions, restore one, and purge. */
export function historyRoutes(app: App, services: Services): void {
  const historyOf = (request: FastifyRequest): History => registryOf(services, request).history
  app.get(
    `${FILESET}/history`,
    read({
      summary: "List the changes of a fileset, or the former versions of a path, newest first",
      params,
      querystring: HistoryQuery,
      response: ok(FilesetHistory),
    }),
    async (request) => {
      const { ws, name } = request.params
      const { limit, page_token: before, path: text } = request.query
      const found = await historyOf(request).list(ws, name, { limit, before, path: folderPath(text) })
      return describePage(found)
    },
  )
  app.get(
    `${FILESET}/diff`,
    read({
      summary: "Compare the files of two revisions",
      params,
      querystring: DiffQuery,
      response: ok(FilesetDiff),
    }),
    async (request) => {
      const { ws, name } = request.params
      const { limit, path: text, ...revisions } = request.query
      const { from, to, files } = await historyOf(request).diff(ws, name, { ...revisions, path: folderPath(text) })
      return { from, to, ...(await countDifferences(files, limit)) }
    },
  )
  restoreRoutes(app, historyOf)
  rowDiffRoute(app, services, historyOf)
}

/** Work ends when the client disconnects. */
function rowDiffRoute(app: App, services: Services, historyOf: (request: FastifyRequest) => History): void {
  app.get(
    `${FILESET}/diff/rows`,
    read({
      summary: "Compare the rows of a file in two revisions",
      params,
      querystring: RowDiffQuery,
      response: ok(RowDiff),
    }),
    async (request, reply) => {
      const { ws, name } = request.params
      const { from, to, path: text, key = null, limit } = request.query
      const path = parseFilePath(text)
      const { id, metadata } = await registryOf(services, request).filesets.get(ws, name)
      const [old, late] = (await historyOf(request).open(ws, name, [from, to])).map(({ revision, storage }) => {
        return { name: revision, fileset: { id, workspace: ws, metadata: metadata.dataset, storage } }
      })
      if (old === undefined || late === undefined) throw new TypeError("Two revisions were opened.")
      const keys = key === null ? undefined : parseColumn(key, { parameter: "key" })
      const options = { path, key: keys, limit, signal: clientSignal(reply.raw) }
      const { rows, ...compared } = await services.rows.compare(old, late, options)
      return { from: old.name, to: late.name, path, key, ...compared, data: [...rows] }
    },
  )
}

function restoreRoutes(app: App, historyOf: (request: FastifyRequest) => History): void {
  app.post(
    `${FILESET}/restore`,
    edit({
      summary: "Bring back the files of a revision, all or one path",
      description: "A new change, which can be undone in the same way. If bytes are gone, nothing changes.",
      params,
      body: RestoreFileset,
      response: ok(RestoredFileset),
    }),
    async (request, reply) => {
      const { ws, name } = request.params
      const { revision, path: text, dry_run: isDryRun = false } = request.body
      const signal = clientSignal(reply.raw)
      const done = await historyOf(request).restore(ws, name, { revision, path: folderPath(text), isDryRun, signal })
      const { written, deleted } = done
      return {
        revision: done.revision,
        change: done.change ?? null,
        written: written.slice(0, MAX_NAMED),
        deleted: deleted.slice(0, MAX_NAMED),
        written_count: written.length,
        deleted_count: deleted.length,
      }
    },
  )
  app.delete(
    `${FILESET}/history`,
    edit({ summary: "Remove all kept bytes of replaced and deleted files", params, response: ok(KeptUsage) }),
    (request) => historyOf(request).purge(request.params.ws, request.params.name),
  )
}

/** Parses the path of a file or a folder. */
function folderPath(text: string | undefined): FilePath | undefined {
  return text === undefined || text === "" ? undefined : parseFilePath(text.replace(/\/$/, ""))
}

function describePage({ changes, versions, kept, next }: Awaited<ReturnType<History["list"]>>): FilesetHistory {
  return {
    data: changes.map(({ beganAt, endedAt, isCommit, ...change }) => ({
      ...change,
      is_commit: isCommit,
      began_at: formatTimestamp(beganAt),
      ended_at: formatTimestamp(endedAt),
    })),
    versions: versions.map(({ endedAt, isDeleted, gone, ...version }) => ({
      ...version,
      ended_at: formatTimestamp(endedAt),
      is_deleted: isDeleted,
      gone: gone ?? null,
    })),
    kept,
    ...(next === undefined ? {} : { next_page_token: next }),
  }
}

/** Counts all differences, and names the first ones. */
async function countDifferences(
  files: AsyncIterable<FileDifference>,
  limit: number,
): Promise<Pick<FilesetDiff, "data" | "added" | "removed" | "changed">> {
  const counts = { added: 0, removed: 0, changed: 0 }
  const data: FilesetDiff["data"] = []
  for await (const { change, path: at, from, to } of files) {
    counts[change] += 1
    if (data.length < limit) data.push({ change, path: at, from_size: from?.size ?? null, to_size: to?.size ?? null })
  }
  return { data, ...counts }
}
