import {
  checkReadConditions,
  clientSignal,
  type FileFacts,
  fileHeaders,
  hasConditions,
  type OutgoingBytes,
  rangeApplies,
  writePieces,
} from "@assay/http/node"
import { AssayError } from "@assay/schemas"
import { parseRangeHeader, type ReadOptions, type ReadResult } from "@assay/storage"
import type { FastifyReply, FastifyRequest } from "fastify"

/**
 * Sends the bytes of a read. Reads the first piece before it sends the status, so that a backend that fails at once results
 * in an error status and not in a broken stream.
 */
async function sendBytes(
  { file, range, bytes, release }: FileBytes,
  { contentType }: Pick<FileSource, "contentType">,
  { reply, outgoing }: Pick<SendFileOptions, "reply" | "outgoing">,
): Promise<FastifyReply> {
  const length = range === undefined ? file.size : range.end - range.start + 1
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  const isWhole = first.done === true || first.value.byteLength === length
  if (!isWhole) await holdPieces(first.value, pieces, { reply, outgoing })
  reply.code(range === undefined ? 200 : 206).headers(fileHeaders(file, contentType))
  if (range !== undefined) reply.header("content-range", `bytes ${range.start}-${range.end}/${file.size}`)
  if (isWhole) {
    await pieces.return?.()
    // Fastify knows bytes in shared memory only by their type, and would write them as JSON if that is a type of JSON.
    return reply.serializer((payload) => payload as string).send(first.done === true ? Buffer.alloc(0) : first.value)
  }
  reply.header("content-length", length)
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  await writePieces(reply.raw, { first, rest: pieces, release })
  return reply
}

/** Counts two pieces as outgoing: one is being sent, and the next one is read ahead. @throws `unavailable` */
async function holdPieces(
  first: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
  { reply, outgoing }: { readonly reply: FastifyReply; readonly outgoing: OutgoingBytes },
): Promise<void> {
  try {
    outgoing.hold(reply.raw, 2 * first.byteLength)
  } catch (error) {
    await pieces.return?.()
    throw error
  }
}

/** The bytes of a file, and the facts that headers need. */
interface FileBytes extends Omit<ReadResult, "file"> {
  readonly file: FileFacts
}

/** A file to send. Both functions can be called several times. */
export interface FileSource {
  /** Default `application/octet-stream`. */
  readonly contentType?: string | undefined
  stat(options: Pick<ReadOptions, "signal">): Promise<FileFacts>
  read(options: ReadOptions): Promise<FileBytes>
}

/** Maximum number of attempts to read the version of a file whose conditions were checked. */
const MAX_ATTEMPTS = 20

export interface SendFileOptions {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly outgoing: OutgoingBytes
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Sends the response to a GET of one file: checks the conditions, then the range, then sends the bytes. @throws `unavailable` */
export async function sendFile(source: FileSource, options: SendFileOptions): Promise<FastifyReply> {
  const { request, reply, now } = options
  const range = parseRangeHeader(request.headers.range)
  const signal = clientSignal(reply.raw)
  const read = (part: typeof range) => source.read(part === undefined ? { signal } : { range: part, signal })
  if (!hasConditions(request.headers)) return sendBytes(await read(range), source, options)
  for (let attempt = 1; ; attempt += 1) {
    const file = await source.stat({ signal })
    if (checkReadConditions(request.headers, file) === "not-modified") {
      return reply.code(304).headers(fileHeaders(file)).removeHeader("content-type").send()
    }
    const result = await read(rangeApplies(request.headers, file, now()) ? range : undefined)
    if (result.file.etag === file.etag) return sendBytes(result, source, options)
    // The file was replaced between `stat` and `read`, so the conditions were checked for another version.
    await result.bytes[Symbol.asyncIterator]().return?.()
    if (attempt === MAX_ATTEMPTS) {
      throw new AssayError(
        "storage_changed",
        "The file changes faster than its conditions can be checked. Read it again.",
      )
    }
  }
}

/** Sends the response to a HEAD of one file. */
export async function sendFacts(
  source: FileSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await source.stat({ signal: clientSignal(reply.raw) })
  reply.headers(fileHeaders(file, source.contentType))
  if (checkReadConditions(request.headers, file) === "not-modified")
    return reply.code(304).removeHeader("content-type").send()
  return reply.header("content-length", file.size).send()
}
