import { checkReadConditions, clientSignal, writeConditions } from "@assay/http/node"
import type { WritableFileset } from "@assay/filesets"
import { type BeginChecksum, type CopySource, formatTime, ownEtag, parseCopySource, s3Error, s3Etag } from "@assay/s3"
import { AssayError, type FileInfo } from "@assay/schemas"
import { type FilePath, parseFilePath, type ReadOptions, type ReadResult, type WriteOptions } from "@assay/storage"
import type { FastifyReply } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { newFilePathOf, pathTextOf } from "../http/file-path.ts"
import { reportInvalidRows } from "../rows/report-invalid-rows.ts"
import { removeObject } from "./bucket-writing.ts"
import { isFolderKey, putFolder } from "./folder-objects.ts"
import { receiveBody } from "./receive-body.ts"
import { sendXml } from "./s3-answer.ts"
import { checkHeaders, requireBucketRole, type S3Exchange } from "./s3-request.ts"

/** The conditions of a write, with our ETag. @throws `bad_request` */
export function conditionsOf({ request }: Pick<S3Exchange, "request">): Pick<WriteOptions, "ifMatch" | "ifNoneMatch"> {
  const { ifMatch, ifNoneMatch } = writeConditions(request.headers)
  return { ifMatch: ifMatch === undefined ? undefined : ownEtag(ifMatch), ifNoneMatch }
}

interface NewObject extends WriteOptions {
  readonly fileset: WritableFileset
  readonly path: FilePath
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Writes a file after a check of its rows, as every door does. */
export async function writeObject(
  { services, request, reply }: Pick<S3Exchange, "services" | "request" | "reply">,
  { fileset, path, bytes, ...options }: NewObject,
): Promise<FileInfo> {
  const checked = await services.enforceRows({ fileset, path }, bytes, reportInvalidRows(request, reply))
  const disposable = options.disposable === true && checked === bytes
  return fileset.write(path, checked, { ...options, disposable })
}

export async function putObject(exchange: S3Exchange, begin: BeginChecksum): Promise<FastifyReply> {
  const { services, request, reply, ws, name } = exchange
  const key = pathTextOf(request)
  if (isFolderKey(key)) return putFolder(exchange, key, begin)
  requireBucketRole(exchange, "editor")
  const path = newFilePathOf(request)
  checkHeaders(request)
  const conditions = conditionsOf(exchange)
  const body = receiveBody(exchange, path, begin)
  const fileset = await registryOf(services, request).files.openWritable(ws, name)
  const { bytes, size, sha256, isPlain: disposable } = body
  const file = await writeObject(exchange, { fileset, path, bytes, size, sha256, disposable, ...conditions })
  if (file.etag !== null) reply.header("etag", s3Etag(file.etag))
  return reply.headers(body.checksumHeaders()).send("")
}

export async function deleteObject(exchange: S3Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  requireBucketRole(exchange, "editor")
  checkHeaders(request)
  await removeObject(exchange, pathTextOf(request), { conditions: request.headers })
  return reply.code(204).send()
}

/** The file that a copy reads, opened. */
export interface OpenedSource {
  readonly source: CopySource
  readonly path: FilePath
  readonly result: ReadResult
}

/**
 * Opens the file that x-amz-copy-source names, with the rights of the sender.
 * @throws `not_found`; `precondition_failed` if a condition of the source does not hold; `too_large`
 */
export async function openSource(exchange: S3Exchange, options: ReadOptions): Promise<OpenedSource> {
  const { services, request } = exchange
  const { headers } = request
  const source = parseCopySource(String(headers["x-amz-copy-source"]))
  requireBucketRole({ request, ws: source.ws }, "viewer")
  const path = parseFilePath(source.path)
  const result = await registryOf(services, request).files.read(source.ws, source.name, path, options)
  try {
    const conditions = Object.fromEntries(
      ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"].map((name) => {
        const value = headers[`x-amz-copy-source-${name}`]
        return [name, typeof value === "string" ? value : undefined]
      }),
    )
    const { file } = result
    if (checkReadConditions(conditions, { ...file, etag: s3Etag(file.etag) }) === "not-modified") {
      throw new AssayError(
        "precondition_failed",
        "The source does not match x-amz-copy-source-if-none-match or -if-modified-since.",
      )
    }
    return { source, path, result }
  } catch (error) {
    await closeSource(result)
    throw error
  }
}

/** Ends a read whose bytes are not needed. */
export async function closeSource({ bytes }: ReadResult): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.()
}

/** Copies a file, also from another bucket. A copy of a file onto itself changes nothing, because objects have no metadata here that it could replace. */
export async function copyObject(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply, ws, name } = exchange
  requireBucketRole(exchange, "editor")
  const path = newFilePathOf(request)
  checkHeaders(request)
  const conditions = conditionsOf(exchange)
  const fileset = await registryOf(services, request).files.openWritable(ws, name)
  const opened = await openSource(exchange, { signal: clientSignal(reply.raw) })
  const { source, result } = opened
  const { size, sha256 } = result.file
  if (source.ws === ws && source.name === name && opened.path === path) {
    await closeSource(result)
    return sendCopy(reply, "CopyObjectResult", result.file)
  }
  const { maxUploadBytes: maxBytes } = services
  if (maxBytes !== undefined && size > maxBytes) {
    await closeSource(result)
    throw s3Error(
      "EntityTooLarge",
      `The source has ${size} bytes, and this server takes at most ${maxBytes} (ASSAY_MAX_UPLOAD_BYTES).`,
    )
  }
  const file = await writeObject(exchange, {
    fileset,
    path,
    bytes: result.bytes,
    size,
    ...(sha256 === null ? {} : { sha256 }),
    ...conditions,
  })
  const updatedAt = file.updated_at === null ? null : Date.parse(file.updated_at)
  return sendCopy(reply, "CopyObjectResult", { etag: file.etag, updatedAt })
}

/** Sends what a copy has made. */
export function sendCopy(
  reply: FastifyReply,
  root: string,
  { etag, updatedAt }: { readonly etag: string | null; readonly updatedAt: number | null },
): FastifyReply {
  return sendXml(reply, root, { LastModified: formatTime(updatedAt), ETag: s3Etag(etag) ?? undefined })
}
