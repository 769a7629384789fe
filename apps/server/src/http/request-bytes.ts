import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { AssayError } from "@assay/schemas"
import type { FastifyInstance } from "fastify"

/** Has the routes of `app` take bodies of every media type without reading them: they stream their bodies. */
export function streamBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined))
}

export interface RequestBytesOptions {
  /** Path of the file, for messages. */
  readonly path: string
  /** Longest silence of the client. Time in which nobody asks for bytes does not count. */
  readonly idleMs: number
  readonly maxBytes?: number | undefined
}

async function nextWithin<T>(next: Promise<T>, idleMs: number, onIdle: () => AssayError): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onIdle()), idleMs)
  })
  try {
    return await Promise.race([next, idle])
  } finally {
    clearTimeout(timer)
  }
}

function tooLarge(path: string, maxBytes: number): AssayError {
  return new AssayError(
    "too_large",
    `The upload of '${path}' is larger than ${maxBytes} bytes, the most that this server takes (ASSAY_MAX_UPLOAD_BYTES).`,
  )
}

/** Refuses before the first byte what announces itself as too large. @throws `too_large` */
export function checkAnnouncedLength(request: IncomingMessage, { path, maxBytes }: RequestBytesOptions): void {
  const announced = Number(request.headers["content-length"] ?? 0)
  if (maxBytes !== undefined && announced > maxBytes) throw tooLarge(path, maxBytes)
}

/**
 * The bytes of an upload as they arrive, with back-pressure.
 * @throws `upload_idle` when the client falls silent, `too_large`, `bad_upload` when it hangs up half-way
 */
export async function* requestBytes(body: Readable, options: RequestBytesOptions): AsyncGenerator<Uint8Array> {
  const { path, idleMs, maxBytes } = options
  const iterator = body.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let received = 0
  const onIdle = () => new AssayError("upload_idle", `Connection terminated due to inactivity: ${path}`)
  try {
    for (;;) {
      const { value, done } = await nextWithin(iterator.next(), idleMs, onIdle)
      if (done === true) return
      received += value.byteLength
      if (maxBytes !== undefined && received > maxBytes) throw tooLarge(path, maxBytes)
      yield value
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ECONNRESET" && (error as Error).name !== "AbortError") throw error
    throw new AssayError(
      "bad_upload",
      `The connection ended before the whole of '${path}' had arrived; send it again.`,
      { cause: error },
    )
  }
}
