import { AssayError, type LfsBatchAnswer, type LfsBatchBody, type LfsBatchObject } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import { findContents, type NamedObject } from "./find-contents.ts"
import { isObjectId, type ObjectStores } from "./find-hub-object.ts"
import { lfsUrl, uploadUrl } from "./hub-address.ts"
import { findKept, isCommitted } from "./kept-objects.ts"
import { countParts, partBytes } from "./object-parts.ts"

/** Clients use both spellings. */
const SHA256 = new Set(["sha256", "sha_256"])

export interface LfsBatchContext extends ObjectStores {
  /** Checks that the sender may write files of the repository. @throws `not_found`, `forbidden` */
  readonly checkMayWrite: () => void
  /** The `Authorization` header of the request. */
  readonly authorization: string | undefined
  /** The URL of the hub, as the client sees it. */
  readonly hub: string
  /** Maximum size of an object in bytes; undefined: no limit. */
  readonly maxBytes: number | undefined
  /** Returns how to send an object as chunks. */
  readonly xetUpload: () => Promise<ObjectAction>
}

/** An address, and the header fields for it. */
interface ObjectAction {
  readonly href: string
  readonly header: Record<string, string>
}

/**
 * Returns the URLs for uploads or downloads of objects, as the batch API of Git LFS does. A client of the hub gets an upload URL with a key
 * that allows its holder to send exactly these bytes and nothing else, because it sends no token there. Its objects wait for their commit.
 * Objects of other clients become files when they arrive.
 * @throws `bad_request` for another hash algorithm; `forbidden`, `method_not_allowed` for an upload that is not allowed;
 * `unavailable` while files are read for their digests
 */
export async function lfsBatch(
  context: LfsBatchContext,
  body: Static<typeof LfsBatchBody>,
): Promise<Static<typeof LfsBatchAnswer>> {
  const { operation, hash_algo = "sha256", objects } = body
  const { registry, repository } = context
  if (!SHA256.has(hash_algo)) {
    throw new AssayError("bad_request", `Objects are identified by SHA-256 here, not by '${hash_algo}'.`)
  }
  const isUpload = operation === "upload"
  if (isUpload) {
    context.checkMayWrite()
    await registry.files.openWritable(repository.ws, repository.name)
  }
  const transfer = isUpload ? transferOf(body) : "basic"
  const wanted = objects.filter(({ oid }) => isObjectId(oid))
  const oids = wanted.map(({ oid }) => oid)
  // A file of the same content does not replace a kept object: the file can change.
  const files = await (isUpload && transfer === "basic"
    ? findKept(registry, repository, oids)
    : findContents(registry, repository, { wanted, isRead: !isUpload }))
  const found: LfsBatchObject[] = []
  for (const object of objects) {
    const first = found.find(({ oid }) => oid === object.oid)
    const known = { ...object, fileSize: files.get(object.oid) }
    if (!isObjectId(object.oid)) {
      found.push(refused(object, 422, `'${object.oid}' is not a SHA-256 in lower-case hex.`))
    } else if (!isUpload) found.push(await download(context, known))
    // Files with the same content share one upload.
    else if (first !== undefined) found.push(sameSize(object, first.size) ?? { ...object })
    else found.push(await upload(context, known, transfer))
  }
  return { transfer, objects: found, hash_algo: "sha256" }
}

/** How clients send objects: whole, in parts, or as chunks of which the server has some. */
type Transfer = "basic" | "multipart" | "xet"

function transferOf(body: Static<typeof LfsBatchBody>): Transfer {
  if (!isCommitted(body)) return "basic"
  return body.transfers?.includes("xet") === true ? "xet" : "multipart"
}

interface WantedObject extends NamedObject {
  /** Size of a file with its content. Undefined: there is none. */
  readonly fileSize: number | undefined
}

function refused({ oid, size }: NamedObject, code: number, message: string): LfsBatchObject {
  return { oid, size, error: { code, message } }
}

/** Returns a refusal if a client gives another size than the content has. */
function sameSize(object: NamedObject, size: number): LfsBatchObject | undefined {
  if (object.size === size) return undefined
  return refused(object, 422, `Object ${object.oid} has ${size} bytes, not ${object.size}.`)
}

async function upload(
  { registry, pendingObjects, repository, hub, maxBytes, authorization, xetUpload }: LfsBatchContext,
  { oid, size, fileSize }: WantedObject,
  transfer: Transfer,
): Promise<LfsBatchObject> {
  if (maxBytes !== undefined && size > maxBytes) {
    const limit = `this server takes at most ${maxBytes} (ASSAY_MAX_UPLOAD_BYTES)`
    return refused({ oid, size }, 413, `The object has ${size} bytes; ${limit}.`)
  }
  const objects = `${lfsUrl(hub, repository)}/objects`
  const verify = { href: `${objects}/verify`, header: headerOf(authorization) }
  if (transfer === "basic") {
    if (fileSize !== undefined) return sameSize({ oid, size }, fileSize) ?? { oid, size }
    const href = `${objects}/${oid}?size=${size}`
    return { oid, size, actions: { upload: { href, header: headerOf(authorization) }, verify } }
  }
  const { id: fileset } = await registry.filesets.get(repository.ws, repository.name)
  const object = { fileset, sha256: oid }
  const known = (await pendingObjects.size(object)) ?? fileSize
  if (known !== undefined) return sameSize({ oid, size }, known) ?? { oid, size }
  if (transfer === "xet") return { oid, size, actions: { upload: await xetUpload() } }
  const href = uploadUrl(hub, { ...object, size, key: await pendingObjects.start(object, size) })
  const parts = Array.from({ length: countParts(size) }, (_, index) => String(index + 1).padStart(5, "0"))
  const header =
    parts.length > 1
      ? { chunk_size: String(partBytes(size)), ...Object.fromEntries(parts.map((part) => [part, `${href}/${part}`])) }
      : {}
  return { oid, size, actions: { upload: { href, header }, verify } }
}

/** Returns the client's own token, because git does not send it to the URLs of a batch by itself. */
function headerOf(authorization: string | undefined): Record<string, string> {
  return authorization === undefined ? {} : { authorization }
}

async function download(
  { registry, pendingObjects, repository, hub, authorization }: LfsBatchContext,
  { oid, size, fileSize }: WantedObject,
): Promise<LfsBatchObject> {
  const { ws, name } = repository
  const { id: fileset } = await registry.filesets.get(ws, name)
  const known = fileSize ?? (await pendingObjects.size({ fileset, sha256: oid }))
  if (known === undefined) return refused({ oid, size }, 404, `'${ws}/${name}' has no object ${oid}.`)
  const href = `${lfsUrl(hub, repository)}/objects/${oid}`
  return (
    sameSize({ oid, size }, known) ?? {
      oid,
      size,
      actions: { download: { href, header: headerOf(authorization) } },
    }
  )
}
