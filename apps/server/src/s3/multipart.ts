import { clientSignal } from "@assay/http/node"
import type { UploadTarget } from "@assay/uploads"
import {
  type BeginChecksum,
  countOf,
  formatTime,
  isUrlEncoding,
  nameWriter,
  parseCopyRange,
  parsePartNumber,
  readCompletion,
  s3Error,
  s3Etag,
  textOf,
} from "@assay/s3"
import type { AssayError, FileInfo } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage"
import type { FastifyReply } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { newFilePathOf } from "../http/file-path.ts"
import { closeSource, conditionsOf, openSource, sendCopy, writeObject } from "./object-writing.ts"
import { receiveBody, receiveDocument } from "./receive-body.ts"
import { sendXml } from "./s3-answer.ts"
import { checkHeaders, requireBucketRole, type S3Exchange } from "./s3-request.ts"

/** Returns the fileset of an upload, which the sender may write. @throws `not_found`, `forbidden`, `method_not_allowed` */
async function targetOf(exchange: S3Exchange): Promise<UploadTarget> {
  const { services, request, ws: workspace, name: fileset } = exchange
  requireBucketRole(exchange, "editor")
  const { id: filesetId } = await registryOf(services, request).files.openWritable(workspace, fileset)
  return { workspace, fileset, filesetId }
}

/** Returns the id of an upload whose path is the one of the request. @throws `not_found` */
function uploadIdOf({ query }: S3Exchange): string {
  return query["uploadId"] ?? ""
}

export async function createMultipart(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, request, reply, bucket } = exchange
  const path = newFilePathOf(request)
  checkHeaders(request)
  const { id } = await services.multipart.start(await targetOf(exchange), path)
  return sendXml(reply, "InitiateMultipartUploadResult", { Bucket: bucket, Key: path, UploadId: id })
}

/** Receives one part, from the body of the request or from a file (`x-amz-copy-source`). */
export async function putPart(exchange: S3Exchange, begin: BeginChecksum): Promise<FastifyReply> {
  const { services, request, reply, query } = exchange
  const to = await targetOf(exchange)
  checkHeaders(request)
  const number = parsePartNumber(query["partNumber"] ?? "")
  const { maxUploadBytes: maxBytes } = services
  const id = uploadIdOf(exchange)
  if (request.headers["x-amz-copy-source"] !== undefined) {
    const range = request.headers["x-amz-copy-source-range"]
    const part = typeof range === "string" ? { range: parseCopyRange(range) } : {}
    const { result } = await openSource(exchange, { ...part, signal: clientSignal(reply.raw) })
    if (part.range !== undefined && part.range.end >= result.file.size) {
      await closeSource(result)
      const message = `x-amz-copy-source-range ends at byte ${part.range.end}, and the source has ${result.file.size} bytes.`
      throw s3Error("InvalidArgument", message)
    }
    const { etag } = await services.multipart.putPart(id, to, { number, bytes: result.bytes, maxBytes })
    return sendCopy(reply, "CopyPartResult", { etag: `"${etag}"`, updatedAt: services.now() })
  }
  const body = receiveBody(exchange, newFilePathOf(request), begin)
  const { bytes, sha256, isPlain: disposable } = body
  const { etag } = await services.multipart.putPart(id, to, { number, bytes, maxBytes, sha256, disposable })
  return reply.header("etag", partEtag(etag)).headers(body.checksumHeaders()).send("")
}

function partEtag(etag: string): string {
  return s3Etag(`"${etag}"`)
}

export async function completeMultipart(exchange: S3Exchange, begin: BeginChecksum): Promise<FastifyReply> {
  const { services, request, reply, ws, name, bucket } = exchange
  checkHeaders(request)
  const path = newFilePathOf(request)
  const to = await targetOf(exchange)
  const conditions = conditionsOf(exchange)
  const parts = readCompletion(await receiveDocument(exchange, begin))
  const named = parts.map(({ number, etag }) => ({ number, etag: etag.replaceAll('"', "").replace(/-a$/, "") }))
  const { files } = registryOf(services, request)
  let written: FileInfo | undefined
  const completed = await services.multipart.complete(uploadIdOf(exchange), {
    to,
    parts: named,
    async finish(upload, bytes, size) {
      if (upload.path !== path) throw anotherPath(upload.path)
      const fileset = await files.openWritable(ws, name, { filesetId: to.filesetId })
      written = await writeObject(exchange, { fileset, path, bytes, size, ...conditions })
    },
  })
  if (completed.path !== path) throw anotherPath(completed.path)
  // The file is written, and an error from here on would tell the client that it is not.
  const { etag } = written ?? (await files.stat(ws, name, path))
  return sendXml(reply, "CompleteMultipartUploadResult", { Bucket: bucket, Key: path, ETag: s3Etag(etag) ?? undefined })
}

function anotherPath(path: string): AssayError {
  return s3Error("InvalidRequest", `The upload is one of the object '${path}'; name the object with which it began.`)
}

export async function abortMultipart(exchange: S3Exchange): Promise<FastifyReply> {
  await exchange.services.multipart.remove(uploadIdOf(exchange), await targetOf(exchange))
  return exchange.reply.code(204).send()
}

/** Lists the parts of an upload. */
export async function listParts(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, reply, bucket, query } = exchange
  const { upload, parts } = await services.multipart.get(uploadIdOf(exchange), await targetOf(exchange))
  const [marker, limit] = [
    query["part-number-marker"] === undefined ? 0 : countOf(query, "part-number-marker"),
    pageOf(query, "max-parts"),
  ]
  const rest = parts.filter(({ number }) => number > marker)
  const page = rest.slice(0, limit)
  const isTruncated = rest.length > page.length
  return sendXml(reply, "ListPartsResult", {
    Bucket: bucket,
    Key: nameWriter(isUrlEncoding(query))(upload.path),
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
    MaxParts: limit,
    IsTruncated: isTruncated,
    StorageClass: "STANDARD",
    Part: page.map(({ number, size, etag }) => ({
      PartNumber: number,
      // The time of a part is not stored.
      LastModified: formatTime(upload.startedAt),
      ETag: partEtag(etag),
      Size: size,
    })),
  })
}

const MAX_PAGE = 1000

function pageOf(query: S3Exchange["query"], name: string): number {
  return Math.min(countOf(query, name), MAX_PAGE)
}

/** Lists the uploads of a bucket that are in progress. */
export async function listMultiparts(exchange: S3Exchange): Promise<FastifyReply> {
  const { services, reply, bucket, query } = exchange
  if ((query["delimiter"] ?? "") !== "") throw s3Error("NotImplemented", "Lists of uploads have no delimiter here.")
  const all = await services.multipart.list(await targetOf(exchange))
  const [prefix, key, id] = ["prefix", "key-marker", "upload-id-marker"].map((name) => textOf(query, name)) as [
    string,
    string,
    string,
  ]
  const limit = pageOf(query, "max-uploads")
  const isLater = (upload: { readonly path: string; readonly id: string }) => {
    const order = compareCodePoints(upload.path, key)
    return key === "" || order > 0 || (order === 0 && id !== "" && upload.id > id)
  }
  const rest = all
    .filter((upload) => upload.path.startsWith(prefix) && isLater(upload))
    .toSorted((a, b) => compareCodePoints(a.path, b.path) || (a.id < b.id ? -1 : 1))
  const page = rest.slice(0, limit)
  const write = nameWriter(isUrlEncoding(query))
  const last = rest.length > page.length ? page.at(-1) : undefined
  return sendXml(reply, "ListMultipartUploadsResult", {
    Bucket: bucket,
    KeyMarker: write(key),
    UploadIdMarker: id,
    NextKeyMarker: last === undefined ? undefined : write(last.path),
    NextUploadIdMarker: last?.id,
    Prefix: write(prefix),
    MaxUploads: limit,
    IsTruncated: last !== undefined,
    EncodingType: isUrlEncoding(query) ? "url" : undefined,
    Upload: page.map((upload) => ({
      Key: write(upload.path),
      UploadId: upload.id,
      Initiated: formatTime(upload.startedAt),
      StorageClass: "STANDARD",
    })),
  })
}
