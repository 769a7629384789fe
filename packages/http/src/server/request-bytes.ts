import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { AssayError } from "@assay/schemas"

export interface RequestBytesOptions {
  /** Path of the file, for error messages. */
  readonly path: string
  /** Maximum silence of the client in milliseconds. Time during which the server does not read does not count. */
  readonly idleMs: number
  /** Default: no limit. */
  readonly maxBytes?: number | undefined
  /** Name of the setting of `maxBytes`, for messages. */
  readonly setting?: string | undefined
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

/** Returns the error about a client that is silent for too long. */
export function uploadIdle(path: string): AssayError {
  return new AssayError("upload_idle", `Connection terminated due to inactivity: ${path}`)
}

function tooLarge({ path, maxBytes, setting }: RequestBytesOptions): AssayError {
  const limit = setting === undefined ? "" : ` (${setting})`
  return new AssayError(
    "too_large",
    `The upload of '${path}' is larger than ${maxBytes} bytes, the maximum of this server${limit}.`,
  )
}

/** Returns the announced length of a body, which is checked before its first byte is read. @throws `too_large` */
export function checkAnnouncedLength(request: IncomingMessage, options: RequestBytesOptions): number | undefined {
  const { maxBytes } = options
  const length = request.headers["content-length"]
  if (length === undefined) return undefined
  const announced = Number(length)
  if (maxBytes !== undefined && announced > maxBytes) throw tooLarge(options)
  return announced
}

/**
 * Yields the bytes of an upload as they arrive, with back-pressure.
 * @throws `upload_idle` if the client is silent for too long; `too_large`; `bad_upload` if the client disconnects
 */
export async function* requestBytes(body: Readable, options: RequestBytesOptions): AsyncGenerator<Uint8Array> {
  const { path, idleMs, maxBytes } = options
  const iterator = body.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let received = 0
  try {
    for (;;) {
      const { value, done } = await nextWithin(iterator.next(), idleMs, () => uploadIdle(path))
      if (done === true) return
      received += value.byteLength
      if (maxBytes !== undefined && received > maxBytes) throw tooLarge(options)
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
