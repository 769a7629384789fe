import { FileInfo, FileList } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../app.ts"
import { access } from "../auth/access.ts"
import { expectedSha256 } from "../http/content-digest.ts"
import { errorResponses } from "../http/error-responses.ts"
import { FileParameters, NamedParameters } from "../http/path-parameters.ts"
import { checkReadConditions } from "../http/preconditions.ts"
import { rawFilePath } from "../http/raw-file-path.ts"
import { checkAnnouncedLength, requestBytes } from "../http/request-bytes.ts"
import { factsOf, fileHeaders, sendFile } from "../http/send-file.ts"
import { uploadBody } from "../http/upload-body.ts"
import { writeConditions } from "../http/write-conditions.ts"
import type { Services } from "../services.ts"

const tags = ["files"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

const ListFilesQuery = Type.Object({
  path: Type.Optional(
    Type.String({ description: "The file of this path and everything below the folder of this path." }),
  ),
  include_cache_status: Type.Boolean({ default: false, description: "Tell whether each file is in the read cache." }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: "Files on a page; absent: all of them." }),
  ),
  page_token: Type.Optional(Type.String({ description: "`next_page_token` of the page before." })),
})

const FILE_PATH = "/workspaces/:ws/filesets/:name/-/*"

/** Files of a fileset: list, read, write, delete. Bodies of PUT are streams that nothing collects. */
export function fileRoutes(app: App, services: Services): void {
  const { registry } = services
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined))

  app.get(
    "/workspaces/:ws/filesets/:name/files",
    {
      config: read,
      schema: {
        tags,
        summary: "List files",
        params: NamedParameters,
        querystring: ListFilesQuery,
        response: { 200: FileList, ...errorResponses },
      },
    },
    async (request) => {
      const { ws, name } = request.params
      const { path, limit, page_token, include_cache_status } = request.query
      const page = await registry.files.list(ws, name, {
        ...(path === undefined ? {} : { path }),
        ...(limit === undefined ? {} : { limit }),
        ...(page_token === undefined ? {} : { page_token }),
      })
      return include_cache_status
        ? page
        : { ...page, data: page.data.map((file: FileInfo) => ({ ...file, cache_status: null })) }
    },
  )
  app.get(
    FILE_PATH,
    {
      exposeHeadRoute: false,
      config: read,
      schema: { tags, summary: "Read a file, whole or a range", params: FileParameters },
    },
    (request, reply) => {
      const { ws, name } = request.params
      return sendFile(
        registry.files,
        { workspace: ws, fileset: name, path: rawFilePath(request.raw.url ?? "") },
        request,
        reply,
      )
    },
  )
  app.head(
    FILE_PATH,
    { config: read, schema: { tags, summary: "Facts of a file as header fields", params: FileParameters } },
    async (request, reply) => {
      const { ws, name } = request.params
      const file = factsOf(await registry.files.stat(ws, name, rawFilePath(request.raw.url ?? "")))
      reply.headers(fileHeaders(file))
      if (checkReadConditions(request.headers, file) === "not-modified")
        return reply.code(304).removeHeader("content-type").send()
      return reply.header("content-length", file.size).send()
    },
  )
  app.put(
    FILE_PATH,
    {
      config: edit,
      schema: {
        tags,
        summary: "Write a file: raw bytes, or multipart with one part named file",
        consumes: ["application/octet-stream"],
        params: FileParameters,
        response: { 200: FileInfo, ...errorResponses },
      },
    },
    async (request) => {
      const { ws, name } = request.params
      const path = rawFilePath(request.raw.url ?? "")
      const limits = { path, idleMs: services.uploadIdleMs, maxBytes: services.maxUploadBytes }
      const sha256 = expectedSha256(request.headers)
      const conditions = writeConditions(request.headers)
      checkAnnouncedLength(request.raw, limits)
      const bytes = requestBytes(await uploadBody(request.raw, limits), limits)
      return registry.files.write(ws, name, path, bytes, { ...conditions, ...(sha256 === undefined ? {} : { sha256 }) })
    },
  )
  app.delete(
    FILE_PATH,
    {
      config: edit,
      schema: {
        tags,
        summary: "Delete a file",
        params: FileParameters,
        response: { 200: FileInfo, ...errorResponses },
      },
    },
    (request) => registry.files.remove(request.params.ws, request.params.name, rawFilePath(request.raw.url ?? "")),
  )
}
