import {
  announcedDigests,
  checkAnnouncedLength,
  checkDeleteConditions,
  checkDigests,
  clientSignal,
  contentTypeOf,
  factsOf,
  hasConditions,
  requestBytes,
  uploadBody,
  writeConditions,
} from "@assay/http/node"
import { isBrowsing } from "@assay/filesets"
import { FileInfo, FileList } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { type Static, Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { streamBodies } from "../http/body-parsers.ts"
import { filePathOf, newFilePathOf, pathTextOf } from "../http/file-path.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { FileParameters, NamedParameters, ok } from "../http/route-schemas.ts"
import { sendFacts, sendFile, type FileSource } from "../http/send-file.ts"
import { reportInvalidRows } from "../rows/report-invalid-rows.ts"
import type { Services } from "../services.ts"
import { sendFileList } from "./send-file-list.ts"
import { namesFolder, redirectToFolder, sendFolder } from "./send-folder.ts"

const FILESET = "/workspaces/:ws/filesets/:name"
const FILE = `${FILESET}/-/*` as const

const read = describeRoutes("files", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("files", { scope: "workspace", role: "editor" })
const params = FileParameters

const ListFilesQuery = Type.Object({
  path: Type.Optional(
    Type.String({ description: "The file of this path and everything below the folder of this path." }),
  ),
  recursive: Type.Boolean({
    default: true,
    description: "False: only what is directly in the folder `path`, with its folders in `folders`.",
  }),
  contains: Type.Optional(
    Type.String({ maxLength: 1024, description: "Only files whose path has this text, whatever its case." }),
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

/** Larger pages are sent while they are being listed. */
const MAX_WHOLE_PAGE = 1000

/** Defines the routes to list, read, write and delete files of a fileset. Bodies of PUT are streamed and never collected. */
export function fileRoutes(app: App, services: Services): void {
  streamBodies(app)
  listFilesRoute(app, services)
  readFileRoutes(app, services)
  writeFileRoutes(app, services)
}

function listFilesRoute(app: App, services: Services): void {
  app.get(
    `${FILESET}/files`,
    read({ summary: "List files", params: NamedParameters, querystring: ListFilesQuery, response: ok(FileList) }),
    async (request, reply) => {
      const { ws, name } = request.params
      const { limit = Infinity } = request.query
      const query = { ...request.query, signal: clientSignal(reply.raw) }
      const { files } = registryOf(services, request)
      if (limit <= MAX_WHOLE_PAGE || isBrowsing(query)) return files.list(ws, name, query)
      return sendFileList(files.stream(ws, name, query), reply, services.outgoing)
    },
  )
}

function readFileRoutes(app: App, services: Services): void {
  const { outgoing, now } = services
  interface FileRequest {
    readonly Params: Static<typeof FileParameters>
  }
  const send = async (
    request: FastifyRequest<FileRequest>,
    reply: FastifyReply,
    sendOf: (source: FileSource) => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    const { ws, name } = request.params
    const { files } = registryOf(services, request)
    const folder = { files, request, reply, ws, name }
    // Clients such as rclone write `./` before a name with a colon (RFC 3986, 4.2), and don't resolve it.
    const text = pathTextOf(request).replaceAll(/(^|\/)(?:\.\/)+/g, "$1")
    if (namesFolder(text)) return sendFolder(folder, text)
    const path = parseFilePath(text)
    const source: FileSource = {
      contentType: contentTypeOf(path),
      stat: async (options) => factsOf(await files.stat(ws, name, path, options)),
      read: (options) => files.read(ws, name, path, options),
    }
    return sendOf(source).catch((error: unknown) => redirectToFolder(folder, path, error))
  }
  app.get(
    FILE,
    {
      ...read({
        summary: "Read a file, whole or a range",
        description:
          "A path that ends with a slash, or an empty one, is a folder: a page that links to its files and folders, or a `FileList` of one level with `Accept: application/json`. The `Content-Type` of a file follows from its name; what a browser could run is text.",
        params,
      }),
      exposeHeadRoute: false,
    },
    (request, reply) => send(request, reply, (source) => sendFile(source, { request, reply, outgoing, now })),
  )
  app.get(
    `${FILESET}/-`,
    {
      ...read({ summary: "Go to the page of a fileset's files", params: NamedParameters, hide: true }),
      exposeHeadRoute: false,
    },
    (_request, reply) => reply.redirect("./-/", 302),
  )
  app.head(FILE, read({ summary: "Get the facts of a file as header fields", params }), (request, reply) =>
    send(request, reply, (source) => sendFacts(source, request, reply)),
  )
}

function writeFileRoutes(app: App, services: Services): void {
  app.put(
    FILE,
    edit({
      summary: "Write a file: raw bytes, or multipart with one part named file",
      description:
        "`metadata.dataset.enforce` of the fileset decides about invalid rows: `reject` returns 422 and stores nothing; `warn` stores the file and returns `X-Assay-Invalid-Rows`.",
      consumes: ["application/octet-stream"],
      params,
      response: ok(FileInfo),
    }),
    (request, reply) => receiveFile(services, { request, reply, ...request.params }),
  )
  app.delete(
    FILE,
    edit({
      summary: "Delete a file",
      description: "`If-Match`, `If-None-Match` and `If-Unmodified-Since` are checked just before.",
      params,
      response: ok(FileInfo),
    }),
    async (request) => {
      const { ws, name } = request.params
      const { files } = registryOf(services, request)
      const path = filePathOf(request)
      if (hasConditions(request.headers)) {
        checkDeleteConditions(request.headers, factsOf(await files.stat(ws, name, path)))
      }
      return files.remove(ws, name, path)
    },
  )
}

interface FileUpload {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly ws: string
  readonly name: string
}

/** Writes the body of a request to a fileset, after its digests and its rows were checked. */
async function receiveFile(services: Services, { request, reply, ws, name }: FileUpload): Promise<FileInfo> {
  const path = newFilePathOf(request)
  const { uploadIdleMs: idleMs, maxUploadBytes: maxBytes } = services
  const limits = { path, idleMs, maxBytes, setting: "ASSAY_MAX_UPLOAD_BYTES" }
  const digests = announcedDigests(request.headers)
  const sha256 = digests.find(({ algorithm }) => algorithm === "sha-256")?.hex
  const others = digests.filter(({ algorithm }) => algorithm !== "sha-256")
  const conditions = writeConditions(request.headers)
  const size = checkAnnouncedLength(request.raw, limits)
  const body = await uploadBody(request.raw, limits)
  const received = requestBytes(body, limits)
  const bytes = others.length === 0 ? received : checkDigests(received, others)
  const fileset = await registryOf(services, request).files.openWritable(ws, name)
  const checked = await services.enforceRows({ fileset, path }, bytes, reportInvalidRows(request, reply))
  // Node copies each part of a body out of its connection. The parts of a form and checked rows may share memory.
  const disposable = body === request.raw && checked === bytes
  return fileset.write(path, checked, { ...conditions, sha256, size, disposable })
}
