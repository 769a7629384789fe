import { factsOf, type FileFacts } from "@assay/http/node"
import { s3Etag } from "@assay/s3"
import type { FastifyReply } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { filePathOf, pathTextOf } from "../http/file-path.ts"
import { sendFacts, sendFile, type FileSource } from "../http/send-file.ts"
import { isFolderKey, noFolderObject } from "./folder-objects.ts"
import { requireBucketRole, type S3Exchange } from "./s3-request.ts"

/** Sends the response to a GET of an object. */
export function getObject(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply } = exchange
  requireBucketRole(exchange, "viewer")
  const { outgoing, now } = services
  return sendFile(sourceOf(exchange), { request, reply, outgoing, now })
}

/** Sends the response to a HEAD of an object. */
export function headObject(exchange: S3Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  requireBucketRole(exchange, "viewer")
  return sendFacts(sourceOf(exchange), request, reply)
}

function sourceOf(exchange: S3Exchange): FileSource {
  const { services, request, ws, name } = exchange
  const key = pathTextOf(request)
  if (isFolderKey(key)) return noFolderObject(exchange, key)
  const path = filePathOf(request)
  const { files } = registryOf(services, request)
  return {
    async stat(options) {
      const facts = factsOf(await files.stat(ws, name, path, options))
      noteChecksum(exchange, facts)
      return { ...facts, etag: s3Etag(facts.etag) }
    },
    async read(options) {
      const result = await files.read(ws, name, path, options)
      noteChecksum(exchange, result.range === undefined ? result.file : { sha256: null })
      return { ...result, file: { ...result.file, etag: s3Etag(result.file.etag) } }
    },
  }
}

/** Names the SHA-256 of a whole file to clients that compare it with what arrives. */
function noteChecksum({ request, reply }: S3Exchange, { sha256 }: Pick<FileFacts, "sha256">): void {
  reply.removeHeader("x-amz-checksum-sha256").removeHeader("x-amz-checksum-type")
  if (sha256 === null || request.headers["x-amz-checksum-mode"] !== "ENABLED") return
  reply.header("x-amz-checksum-sha256", Buffer.from(sha256, "hex").toString("base64"))
  reply.header("x-amz-checksum-type", "FULL_OBJECT")
}
