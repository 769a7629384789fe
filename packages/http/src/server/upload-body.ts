import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { AssayError, isAssayError } from "@assay/schemas"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { uploadIdle } from "./request-bytes.ts"

function badUpload(reason: string, cause?: unknown): AssayError {
  return new AssayError(
    "bad_upload",
    `The multipart body can't be read: ${reason}. Send one part named 'file', or the raw bytes.`,
    { cause },
  )
}

const MAX_PARTS = 16

export interface UploadLimits {
  /** Path of the file, for error messages. */
  readonly path: string
  /** Maximum wait for the start of the file part, in milliseconds. */
  readonly idleMs: number
}

/** Returns the stream of the part named `file`. Further file parts end it with an error. */
function filePart(request: IncomingMessage, { path, idleMs }: UploadLimits): Promise<Readable> {
  return new Promise((resolvePart, rejectPart) => {
    const timer = setTimeout(() => rejectPart(uploadIdle(path)), idleMs)
    const resolve = (part: Readable) => (clearTimeout(timer), resolvePart(part))
    const reject = (error: AssayError) => (clearTimeout(timer), rejectPart(error))
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: request.headers as { "content-type": string },
        limits: { parts: MAX_PARTS, fieldSize: 65_536 },
      })
    } catch (error) {
      reject(badUpload((error as Error).message, error))
      return
    }
    let found: Readable | undefined
    const fail = (error: AssayError) => {
      request.unpipe(parser)
      if (found === undefined) reject(error)
      else found.destroy(error)
    }
    parser.on("file", (name: string, stream: Readable) => {
      // The parser can fail the part before anybody reads it. Readers get the error in any case.
      stream.on("error", () => {})
      if (name !== "file" || found !== undefined) {
        stream.resume()
        fail(badUpload(found === undefined ? `it has a file part named '${name}'` : "it has more than one file part"))
        return
      }
      found = stream
      resolve(Readable.from(bytesOf(stream), { objectMode: false }))
    })
    // Without a limit, all parts would be parsed, and a body can contain millions of empty ones.
    parser.on("partsLimit", () => fail(badUpload(`it has more than ${MAX_PARTS} parts`)))
    parser.on("error", (error: unknown) => fail(badUpload((error as Error).message, error)))
    parser.on("finish", () => {
      if (found === undefined) reject(badUpload("it has no part named 'file'"))
    })
    request.on("error", (error) => fail(badUpload("the connection ended before the end of the body", error)))
    request.on("aborted", () => fail(badUpload("the connection ended before the end of the body")))
    request.pipe(parser)
  })
}

/** Yields the bytes of a part. If the body ends within the part, the parser fails the part first; that error is translated here. */
async function* bytesOf(part: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* part
  } catch (error) {
    throw isAssayError(error) ? error : badUpload((error as Error).message, error)
  }
}

/** Returns the bytes of a PUT: its body, or the part named `file` of a multipart body. @throws `bad_upload`, `upload_idle` */
export function uploadBody(request: IncomingMessage, limits: UploadLimits): Promise<Readable> {
  const multipart = /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")
  return multipart ? filePart(request, limits) : Promise.resolve(request)
}
