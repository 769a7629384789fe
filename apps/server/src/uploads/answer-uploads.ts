import {
  parseUploadChecksum,
  parseUploadMetadata,
  type FinishUpload,
  type UploadState,
  type UploadTarget,
} from "@assay/uploads"
import { announcedDigests, parseSha256, requestBytes } from "@assay/http/node"
import { AssayError, fileUrl } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { contentTypeOf } from "../errors/content-type.ts"
import { reportInvalidRows } from "../rows/report-invalid-rows.ts"
import type { Services } from "../services.ts"
import { PIECE_TYPE, refuseExtensions, bytesIn, withState, withUpload } from "./tus-protocol.ts"

interface FilesetAddress {
  readonly ws: string
  readonly name: string
}

interface UploadAddress extends FilesetAddress {
  readonly id: string
}

/** A request with its reply, and the fileset or upload in its path. */
export interface Exchange<Address extends FilesetAddress = UploadAddress> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly address: Address
}

/** Starts an upload, with the first piece if the request has one. */
export async function startUpload(services: Services, exchange: Exchange<FilesetAddress>): Promise<FastifyReply> {
  const { request, reply, address } = exchange
  const { ws, name } = address
  refuseExtensions(request)
  const length = bytesIn(request, "upload-length")
  const header = request.headers["upload-metadata"]
  const metadata = Array.isArray(header) ? header.join(",") : header
  const { path, sha256: digest } = parseUploadMetadata(metadata)
  const sha256 = digest === undefined ? null : parseSha256(digest, "Upload-Metadata sha256")
  checkLength(length, services)
  const { id: filesetId } = await registryOf(services, request).files.openWritable(ws, name)
  const finish = finishWith(services, exchange)
  const target = { workspace: ws, fileset: name, filesetId }
  let state = await services.uploads.create({ ...target, path, length, sha256, metadata: metadata ?? "" }, finish)
  if (request.headers["content-type"] === PIECE_TYPE && length > 0) {
    state = await append(services, request, { record: state.record, offset: 0, finish })
  }
  const location = `${fileUrl(ws, name, "x").replace(/\/-\/x$/, "")}/uploads/${state.record.id}`
  return withState(reply, state).code(201).header("location", location).send()
}

/** Sends how far an upload is. */
export async function describeUpload(services: Services, exchange: Exchange): Promise<FastifyReply> {
  const state = await find(services, exchange.address, finishWith(services, exchange))
  return withUpload(exchange.reply, state).send()
}

/** Appends the piece in the body. The last piece writes the file. */
export async function appendPiece(services: Services, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, address } = exchange
  if (request.headers["content-type"] !== PIECE_TYPE) {
    const message = `A piece of an upload has Content-Type ${PIECE_TYPE}; this one has ${contentTypeOf(request)}.`
    throw new AssayError("unsupported_media", message)
  }
  const finish = finishWith(services, exchange)
  const { record } = await find(services, address, finish)
  checkSameLength(request, record.length)
  const state = await append(services, request, { record, offset: bytesIn(request, "upload-offset"), finish })
  return withState(reply, state).code(204).send()
}

/** A piece may repeat the length of its upload. Another one would say that the file is cut. @throws `bad_upload` */
function checkSameLength(request: FastifyRequest, length: number): void {
  if (request.headers["upload-length"] === undefined) return
  const given = bytesIn(request, "upload-length")
  if (given === length) return
  const message = `Upload-Length ${given} is not the length of the upload, which is ${length} and can't change.`
  throw new AssayError("bad_upload", message)
}

/** Stores the digest of the whole file. */
export async function announceDigest(services: Services, { request, reply, address }: Exchange): Promise<FastifyReply> {
  const digest = announcedDigests(request.headers).find(({ algorithm }) => algorithm === "sha-256")
  if (digest === undefined) throw new AssayError("bad_checksum", "Send the SHA-256 of the file in X-Checksum-Sha256.")
  await services.uploads.announce(address.id, await targetOf(services, address), digest.hex)
  return reply.code(204).send()
}

/** Deletes an upload and the bytes that it has. */
export async function terminateUpload(services: Services, exchange: Exchange): Promise<FastifyReply> {
  const { reply, address } = exchange
  await find(services, address, finishWith(services, exchange))
  await services.uploads.remove(address.id)
  return reply.code(204).send()
}

function checkLength(length: number, { maxUploadBytes }: Services): void {
  if (maxUploadBytes === undefined || length <= maxUploadBytes) return
  const message = `Upload-Length ${length} is above ${maxUploadBytes} bytes, the maximum of this server (ASSAY_MAX_UPLOAD_BYTES).`
  throw new AssayError("too_large", message)
}

async function targetOf({ registry }: Services, { ws, name }: FilesetAddress): Promise<UploadTarget> {
  const { id } = await registry.filesets.get(ws, name)
  return { workspace: ws, fileset: name, filesetId: id }
}

async function find(services: Services, address: UploadAddress, finish: FinishUpload): Promise<UploadState> {
  return services.uploads.get(address.id, await targetOf(services, address), finish)
}

/** Returns a function that writes a complete upload to its fileset, with the rights of the sender of the request. */
function finishWith(services: Services, { request, reply, address }: Exchange<FilesetAddress>): FinishUpload {
  const { ws, name } = address
  return async ({ path, sha256, filesetId }, bytes, whole) => {
    // While the last piece arrives, the fileset can be renamed, and another one can take its name.
    const fileset = await registryOf(services, request).files.openWritable(ws, name, { filesetId })
    const checked = await services.enforceRows({ fileset, path }, bytes, reportInvalidRows(request, reply))
    const grown = checked === bytes ? whole : undefined
    await fileset.write(path, checked, { grown, ...(sha256 === null ? {} : { sha256 }) })
  }
}

interface AppendOptions {
  readonly record: UploadState["record"]
  readonly offset: number
  readonly finish: FinishUpload
}

/** Appends the body of a request to an upload, after its checksum was checked if it has one. */
async function append(
  { uploads, uploadIdleMs }: Services,
  request: FastifyRequest,
  { record: { id, path }, offset, finish }: AppendOptions,
): Promise<UploadState> {
  const header = request.headers["upload-checksum"]
  const checksum = typeof header === "string" ? parseUploadChecksum(header) : undefined
  const bytes = requestBytes(request.raw, { path, idleMs: uploadIdleMs })
  // Node copies each part of a body out of its connection.
  return uploads.append(id, { offset, bytes, checksum, disposable: true }, finish)
}
