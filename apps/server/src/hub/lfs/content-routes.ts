import type { PendingObject, PendingObjects } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { type FilePath, resolveRange } from "@assay/storage"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { type FileSource, sendFile } from "../../http/send-file.ts"
import type { Services } from "../../services.ts"
import { GitParameters } from "../hub-request.ts"
import { isObjectId, lfsRepository, type LfsRepository } from "./object-address.ts"

/** Returns a pending object as a file to send. */
function pendingSource(pendingObjects: PendingObjects, object: PendingObject, size: number): FileSource {
  const { sha256 } = object
  const file = { path: sha256 as FilePath, size, etag: `"${sha256}"`, sha256, updatedAt: null }
  return {
    stat: async () => file,
    async read({ range }) {
      if (range === undefined) return { file, bytes: pendingObjects.read(object, { start: 0, end: size - 1 }) }
      const part = resolveRange(range, size)
      return { file, range: part, bytes: pendingObjects.read(object, part) }
    },
  }
}

const tags = ["hub"]

const VerifyBody = Type.Object({ oid: Type.String(), size: Type.Optional(Type.Integer()) })

/** Defines the routes for objects by their digest: contents of files, and pending objects. */
export function contentRoutes(app: App, services: Services): void {
  const { pendingObjects } = services

  /** Finds an object among the files and the pending objects. Returns undefined if it does not exist. */
  async function find(request: FastifyRequest, { ws, name }: LfsRepository, sha256: string) {
    const { filesets, revisions } = registryOf(services, request)
    if (!isObjectId(sha256)) return undefined
    const [file] = await revisions.find(ws, name, sha256)
    if (file !== undefined) return { size: file.size, path: file.path }
    const object = { fileset: (await filesets.get(ws, name)).id, sha256 }
    const size = await pendingObjects.size(object)
    return size === undefined ? undefined : { size, object }
  }

  async function found(request: FastifyRequest, repository: LfsRepository, oid: string) {
    const place = await find(request, repository, oid)
    if (place !== undefined) return place
    throw new AssayError("not_found", `'${repository.ws}/${repository.name}' has no object ${oid}; send it first.`)
  }

  app.get(
    "/:ws/:repo/info/lfs/objects/:oid",
    {
      config: access({ scope: "workspace", role: "viewer" }),
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Read an object",
        params: Type.Object({ ...GitParameters.properties, oid: Type.String() }),
      },
    },
    async (request, reply) => {
      const { oid } = request.params
      const { ws, name } = lfsRepository(request.params)
      const place = await found(request, { ws, name }, oid)
      const { revisions } = registryOf(services, request)
      const { path } = place
      const source: FileSource =
        path === undefined
          ? pendingSource(pendingObjects, place.object, place.size)
          : {
              stat: async (options) => (await revisions.stat(ws, name, path, undefined, options)).file,
              read: (options) => revisions.read(ws, name, path, undefined, options),
            }
      return sendFile(source, { request, reply, outgoing: services.outgoing })
    },
  )
  app.post(
    "/:ws/:repo/info/lfs/objects/verify",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: { tags, summary: "Check that an object has arrived", params: GitParameters, body: VerifyBody },
    },
    async (request, reply) => {
      const { oid, size } = request.body
      const place = await found(request, lfsRepository(request.params), oid)
      if (size === undefined || size === place.size) return reply.send({})
      throw new AssayError("bad_request", `Object ${oid} has ${place.size} bytes, not ${size}.`)
    },
  )
}
