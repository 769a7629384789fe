import { AssayError, LfsBatchAnswer, LfsBatchBody, type LfsBatchObject } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { requireRole } from "@assay/registry/tokens"
import { registryOf } from "../../auth/secret-rights.ts"
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

const MEDIA_TYPE = "application/vnd.git-lfs+json"

/** Clients use both spellings. */
const SHA256 = new Set(["sha256", "sha_256"])

interface Wanted {
  readonly oid: string
  readonly size: number
}

function refused({ oid, size }: Wanted, code: number, message: string): LfsBatchObject {
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
  ): Promise<LfsBatchObject> {
    if (maxUploadBytes !== undefined && size > maxUploadBytes) {
      const limit = `this server takes at most ${maxUploadBytes} (ASSAY_MAX_UPLOAD_BYTES)`
      return refused({ oid, size }, 413, `The object has ${size} bytes; ${limit}.`)
    }
    const { ws, name } = repository
    const registry = registryOf(services, request)
    const { id: fileset } = await registry.filesets.get(ws, name)
    const object = { fileset, sha256: oid }
    const known = (await pendingObjects.size(object)) ?? (await registry.revisions.find(ws, name, oid))[0]?.size
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
      (await registry.revisions.find(ws, name, oid))[0]?.size ?? (await pendingObjects.size({ fileset, sha256: oid }))
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
          body: LfsBatchBody,
          response: { 200: LfsBatchAnswer },
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
        const found: LfsBatchObject[] = []
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
