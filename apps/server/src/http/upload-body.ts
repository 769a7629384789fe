import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { AssayError, isAssayError } from "@assay/schemas"

function badUpload(reason: string, cause?: unknown): AssayError {
  return new AssayError(
    "bad_upload",
    `The multipart body can't be read: ${reason}. Send one part named 'file', or the raw bytes.`,
    { cause },
  )
}

const MAX_PARTS = 16

export interface UploadLimits {
  /** Path of the file, for messages. */
  readonly path: string
  /** Longest wait for the file part to begin. */
  readonly idleMs: number
}

/** The stream of the part named `file`; later parts are refused when they come. */
function filePart(request: IncomingMessage, { path, idleMs }: UploadLimits): Promise<Readable> {
  return new Promise((resolvePart, rejectPart) => {
    const idle = new AssayError("upload_idle", `Connection terminated due to inactivity: ${path}`)
    const timer = setTimeout(() => rejectPart(idle), idleMs)
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
      // The parser lets the part fail, and that may be before or after somebody reads it; the reader is told in any case.
      stream.on("error", () => {})
      if (name !== "file" || found !== undefined) {
        stream.resume()
        fail(badUpload(found === undefined ? `it has a file part named '${name}'` : "it has more than one file part"))
        return
      }
      found = stream
      resolve(Readable.from(bytesOf(stream), { objectMode: false }))
    })
    // What follows would be read to its end: a body can hold millions of empty parts.
    parser.on("partsLimit", () => fail(badUpload(`it has more than ${MAX_PARTS} parts`)))
    parser.on("error", (error: unknown) => fail(badUpload((error as Error).message, error)))
    parser.on("finish", () => {
      if (found === undefined) reject(badUpload("it has no part named 'file'"))
    })
    request.on("error", (error) => fail(badUpload("the connection ended half-way", error)))
    request.on("aborted", () => fail(badUpload("the connection ended half-way")))
    request.pipe(parser)
  })
}

/** The parser ends a part with an error of its own if the body ends within it, before it reports that as its own. */
async function* bytesOf(part: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* part
  } catch (error) {
    throw isAssayError(error) ? error : badUpload((error as Error).message, error)
  }
}

/** The bytes that a PUT carries: its body, or the part named `file` of a multipart body. @throws `bad_upload`, `upload_idle` */
export function uploadBody(request: IncomingMessage, limits: UploadLimits): Promise<Readable> {
  const multipart = /^multipart\/form-data\b/i.test(request.headers["content-type"] ?? "")
  return multipart ? filePart(request, limits) : Promise.resolve(request)
}
