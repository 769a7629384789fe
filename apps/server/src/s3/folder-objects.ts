import { type BeginChecksum, s3Error, s3Etag } from "@assay/s3"
import { AssayError } from "@assay/schemas"
import { parseNewFilePath } from "@assay/storage"
import { createHash } from "node:crypto"
import type { FastifyReply } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import type { FileSource } from "../http/send-file.ts"
import { receiveBody } from "./receive-body.ts"
import { checkHeaders, requireBucketRole, type S3Exchange } from "./s3-request.ts"

/**
 * Returns whether a key is that of an empty object that some clients write for a folder. Filesets have no such files, because each folder is
 * there as long as it has a file.
 */
export function isFolderKey(key: string): boolean {
  return key.endsWith("/")
}

/** Accepts an empty object for a folder, and keeps nothing. @throws `bad_path`; `InvalidArgument` if the object has bytes */
export async function putFolder(exchange: S3Exchange, key: string, begin: BeginChecksum): Promise<FastifyReply> {
  const { services, request, reply, ws, name } = exchange
  requireBucketRole(exchange, "editor")
  parseNewFilePath(key.slice(0, -1))
  checkHeaders(request)
  const body = receiveBody(exchange, key, begin)
  await registryOf(services, request).files.openWritable(ws, name)
  for await (const { length } of body.bytes) {
    if (length > 0)
      throw s3Error("InvalidArgument", `'${key}' is the key of a folder, which has no bytes; leave out the slash.`)
  }
  const etag = s3Etag(`"${createHash("sha256").digest("hex")}"`)
  return reply.header("etag", etag).headers(body.checksumHeaders()).send("")
}

/** Returns a source without a file, for reads of an object for a folder. */
export function noFolderObject({ services, request, ws, name }: S3Exchange, path: string): FileSource {
  const fail = async (): Promise<never> => {
    await registryOf(services, request).filesets.get(ws, name)
    const message = `No object is stored for the folder '${path}'; list its files with this prefix.`
    throw new AssayError("not_found", message, { context: { path } })
  }
  return { stat: fail, read: fail }
}
