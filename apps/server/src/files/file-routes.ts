import {
  checkAnnouncedLength,
  clientSignal,
  expectedSha256,
  factsOf,
  requestBytes,
  uploadBody,
  writeConditions,
} from "@assay/http/server"
import { FileInfo, FileList } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access } from "../auth/access.ts"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { streamBodies } from "../http/body-parsers.ts"
import { rawFilePath } from "../http/file-path.ts"
import { FileParameters, NamedParameters, ok } from "../http/route-schemas.ts"
import { sendFacts, sendFile, type FileSource } from "../http/send-file.ts"
import { reportInvalidRows } from "../rows/enforce-rows.ts"
import type { Services } from "../services.ts"

const tags = ["files"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

const ListFilesQuery = Type.Object({
  path: Type.Optional(
    Type.String({ description: "The file of this path and everything below the folder of this path." }),
  ),
  include_cache_status: Type.Boolean({
    default: false,
    description: "Include whether each file is in the read cache.",
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "Maximum number of files per page; absent: all files." }),
  ),
  page_token: Type.Optional(Type.String({ description: "`next_page_token` of the previous page." })),
})

interface FilesetAddress {
  readonly ws: string
  readonly name: string
}

const FILE_PATH = "/workspaces/:ws/filesets/:name/-/*"

/** Defines the routes to list, read, write and delete files of a fileset. Bodies of PUT are streamed and never collected. */
export function fileRoutes(app: App, services: Services): void {
  const filesOf = (request: FastifyRequest) => registryOf(services, request).files
  const sourceOf = (request: FastifyRequest, { ws, name }: FilesetAddress): FileSource => {
    const path = rawFilePath(request)
    return {
      stat: async (options) => factsOf(await filesOf(request).stat(ws, name, path, options)),
      read: (options) => filesOf(request).read(ws, name, path, options),
    }
  }
  streamBodies(app)

  app.get(
    "/workspaces/:ws/filesets/:name/files",
    {
      config: read,
      schema: {
        tags,
        summary: "List files",
        params: NamedParameters,
        querystring: ListFilesQuery,
        response: ok(FileList),
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const { path, limit, page_token, include_cache_status } = request.query
      return filesOf(request).list(ws, name, {
        include_cache_status,
        signal: clientSignal(reply.raw),
        ...(path === undefined ? {} : { path }),
        ...(limit === undefined ? {} : { limit }),
        ...(page_token === undefined ? {} : { page_token }),
      })
    },
  )
  app.get(
    FILE_PATH,
    {
      exposeHeadRoute: false,
      config: read,
      schema: { tags, summary: "Read a file, whole or a range", params: FileParameters },
    },
    (request, reply) => sendFile(sourceOf(request, request.params), { request, reply, outgoing: services.outgoing }),
  )
  app.head(
    FILE_PATH,
    { config: read, schema: { tags, summary: "Get the facts of a file as header fields", params: FileParameters } },
    (request, reply) => sendFacts(sourceOf(request, request.params), request, reply),
  )
  app.put(
    FILE_PATH,
    {
      config: edit,
      schema: {
        tags,
        summary: "Write a file: raw bytes, or multipart with one part named file",
        description:
          "`metadata.dataset.enforce` of the fileset decides about invalid rows: `reject` returns 422 and stores nothing; `warn` stores the file and returns `X-Assay-Invalid-Rows`.",
        consumes: ["application/octet-stream"],
        params: FileParameters,
        response: ok(FileInfo),
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const path = rawFilePath(request)
      const { uploadIdleMs: idleMs, maxUploadBytes: maxBytes } = services
      const limits = { path, idleMs, maxBytes, setting: "ASSAY_MAX_UPLOAD_BYTES" }
      const sha256 = expectedSha256(request.headers)
      const conditions = writeConditions(request.headers)
      checkAnnouncedLength(request.raw, limits)
      const bytes = requestBytes(await uploadBody(request.raw, limits), limits)
      const checked = await services.enforceRows({ ws, name, path }, bytes, reportInvalidRows(request, reply))
      return filesOf(request).write(ws, name, path, checked, {
        ...conditions,
        ...(sha256 === undefined ? {} : { sha256 }),
      })
    },
  )
  app.delete(
    FILE_PATH,
    { config: edit, schema: { tags, summary: "Delete a file", params: FileParameters, response: ok(FileInfo) } },
    (request) => filesOf(request).remove(request.params.ws, request.params.name, rawFilePath(request)),
  )
}
