import { AnyName, AssayError } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/caller-registry.ts"
import { requireRole } from "../../auth/require-role.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { GitParameters } from "../hub-request.ts"
import {
  countParts,
  isObjectId,
  lfsRepository,
  type LfsRepository,
  lfsUrl,
  partBytes,
  uploadUrl,
} from "./object-address.ts"

/** A request to the batch API of Git LFS. Clients add fields of their own. */
const BatchBody = Type.Object({
  operation: Type.Optional(Type.String({ description: "`upload` or `download`." })),
  transfers: Type.Optional(Type.Array(Type.String())),
  hash_algo: Type.Optional(Type.String()),
  // git sends 100 objects at a time, clients of the hub 256. A short oid that is not a SHA-256 fails only its own object.
  objects: Type.Array(Type.Object({ oid: Type.String({ maxLength: 200 }), size: Type.Integer({ minimum: 0 }) }), {
    maxItems: 1000,
  }),
})
type BatchBody = Static<typeof BatchBody>

const Action = Type.Object({
  href: Type.String(),
  header: Type.Optional(Type.Record(AnyName, Type.String())),
})

const BatchObject = Type.Object({
  oid: Type.String(),
  size: Type.Integer(),
  actions: Type.Optional(
    Type.Object({
      upload: Type.Optional(Action),
      verify: Type.Optional(Action),
      download: Type.Optional(Action),
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
})
type BatchObject = Static<typeof BatchObject>

/** The response of the batch API. An object without actions already exists. */
const BatchAnswer = Type.Object(
  {
    transfer: Type.String({
      description: "`multipart` is the hub's own transfer: URLs of parts by number, and `chunk_size`.",
    }),
    objects: Type.Array(BatchObject),
    hash_algo: Type.String(),
  },
  { $id: "HubLfsBatch" },
)

const MEDIA_TYPE = "application/vnd.git-lfs+json"

/** Clients use both spellings. */
const SHA256 = new Set(["sha256", "sha_256"])

interface Wanted {
  readonly oid: string
  readonly size: number
}

function refused({ oid, size }: Wanted, code: number, message: string): BatchObject {
  return { oid, size, error: { code, message } }
}

/**
 * Defines the batch API of Git LFS, which returns the URLs for uploads and downloads of objects. An upload URL contains a
 * key that allows its holder to send exactly these bytes and nothing else, because clients send no token there.
 */
export function batchRoutes(app: App, services: Services): void {
  const { pendingObjects, maxUploadBytes } = services

  async function upload(
    request: FastifyRequest,
    repository: LfsRepository,
    { oid, size }: Wanted,
    multipart: boolean,
  ): Promise<BatchObject> {
    if (maxUploadBytes !== undefined && size > maxUploadBytes) {
      const limit = `this server takes at most ${maxUploadBytes} (ASSAY_MAX_UPLOAD_BYTES)`
      return refused({ oid, size }, 413, `The object has ${size} bytes; ${limit}.`)
    }
    const { ws, name } = repository
    const registry = registryOf(services, request)
    const { id: fileset } = await registry.filesets.get(ws, name)
    const object = { fileset, sha256: oid }
    const known = (await pendingObjects.size(object)) ?? (await registry.trees.find(ws, name, oid))[0]?.size
    if (known !== undefined) return { oid, size: known }
    const href = uploadUrl(request, { ...object, size, key: await pendingObjects.start(object, size) })
    const parts = Array.from({ length: countParts(size) }, (_, index) => String(index + 1).padStart(5, "0"))
    const header =
      multipart && parts.length > 1
        ? { chunk_size: String(partBytes(size)), ...Object.fromEntries(parts.map((part) => [part, `${href}/${part}`])) }
        : {}
    return {
      oid,
      size,
      actions: { upload: { href, header }, verify: { href: `${lfsUrl(request, repository)}/objects/verify` } },
    }
  }

  async function download(request: FastifyRequest, repository: LfsRepository, { oid, size }: Wanted) {
    const { ws, name } = repository
    const registry = registryOf(services, request)
    const { id: fileset } = await registry.filesets.get(ws, name)
    const known =
      (await registry.trees.find(ws, name, oid))[0]?.size ?? (await pendingObjects.size({ fileset, sha256: oid }))
    if (known === undefined) return refused({ oid, size }, 404, `'${ws}/${name}' has no object ${oid}.`)
    // Returns the client's own token, because git does not send it to the download URL by itself.
    const { authorization } = request.headers
    const header: Record<string, string> = authorization === undefined ? {} : { authorization }
    return {
      oid,
      size: known,
      actions: { download: { href: `${lfsUrl(request, repository)}/objects/${oid}`, header } },
    }
  }

  for (const type of ["", "/datasets", "/spaces"]) {
    app.post(
      `${type}/:ws/:repo/info/lfs/objects/batch`,
      {
        config: access({ scope: "workspace", role: "viewer" }),
        schema: {
          tags: ["hub"],
          summary: "Get URLs to upload or download LFS objects",
          params: GitParameters,
          body: BatchBody,
          response: { 200: BatchAnswer },
        },
      },
      async (request, reply) => {
        const repository = lfsRepository(request.params)
        const { operation, transfers = ["basic"], hash_algo = "sha256", objects: wanted } = request.body
        if (!SHA256.has(hash_algo)) {
          throw new AssayError("bad_request", `Objects are identified by SHA-256 here, not by '${hash_algo}'.`)
        }
        const isUpload = operation === "upload"
        if (isUpload) {
          requireRole(callerOf(request), repository.ws, "editor")
          await registryOf(services, request).files.checkWritable(repository.ws, repository.name)
        }
        const multipart = transfers.includes("multipart")
        const found: BatchObject[] = []
        for (const object of wanted) {
          const { oid, size } = object
          if (!isObjectId(oid)) found.push(refused(object, 422, `'${oid}' is not a SHA-256 in lower-case hex.`))
          else if (!isUpload) found.push(await download(request, repository, object))
          // Files with the same content share one upload.
          else if (found.some((other) => other.oid === oid)) found.push({ oid, size })
          else found.push(await upload(request, repository, object, multipart))
        }
        reply.type(MEDIA_TYPE)
        return { transfer: multipart && isUpload ? "multipart" : "basic", objects: found, hash_algo: "sha256" }
      },
    )
  }
}
