import type { Readable } from "node:stream"
import type { HttpHeaders } from "@assay/http"
import { parseContentRange, type ByteRange } from "../byte-range.ts"
import type { RemoteAnswer, RemoteReadOptions } from "./open-remote-read.ts"
import { remoteError } from "./remote-error.ts"

const ONE_BYTE = "bytes=0-0"

/** The first response of a read. */
export interface FirstPart {
  readonly headers: HttpHeaders
  readonly size: number
  /** The bytes `start` to `end`. Absent if the response has only the size. */
  readonly body?: Readable
  readonly start: number
  readonly end: number
}

/** Requests the first part of `range`. @throws `upstream_failed` if the response is not what was requested */
export async function openFirstPart(
  options: RemoteReadOptions & { readonly partSize: number; readonly signal: AbortSignal },
): Promise<FirstPart> {
  const { source, range, partSize, signal } = options
  const asked = firstRange(range, partSize)
  const answer = await source.ask(asked, undefined, signal)
  if (answer.status === 416) {
    answer.body.destroy()
    const { size } = parseContentRange(answer.headers["content-range"])
    if (range !== undefined && size !== undefined) return { headers: answer.headers, size, start: 0, end: -1 }
    // No byte of an empty file can be requested. A request for the whole file returns its size and version.
    return asEmpty(options, await source.ask(undefined, undefined, signal), range === undefined)
  }
  if (answer.status === 206) {
    const found = parseContentRange(answer.headers["content-range"])
    const { start, end, size } = found
    if (start === undefined || end === undefined || size === undefined || !isAsked(asked, start, end, size)) {
      throw refuse(options, answer, `it answered '${answer.headers["content-range"]}' to '${asked}'`)
    }
    if (asked !== ONE_BYTE || range?.kind === "from")
      return { headers: answer.headers, size, start, end, body: answer.body }
    answer.body.destroy()
    return { headers: answer.headers, size, start: 0, end: -1 }
  }
  // For an empty file, some servers return the whole file instead of a 416.
  if (range !== undefined && answer.headers["content-length"] === "0") return asEmpty(options, answer, false)
  if (range !== undefined) throw refuse(options, answer, "it ignores ranges and returned the whole file")
  return wholeOf(options, answer)
}

function refuse({ target }: RemoteReadOptions, { body }: RemoteAnswer, what: string): Error {
  body.destroy()
  return remoteError("upstream_failed", target, `${what}; check that no proxy in between changes requests.`)
}

/** Reads the response to a request for the whole file, after a request for a part of it failed. */
function asEmpty(options: RemoteReadOptions, answer: RemoteAnswer, wantsAll: boolean): FirstPart {
  const whole = wholeOf(options, answer)
  if (wantsAll) return whole
  answer.body.destroy()
  return { headers: whole.headers, size: whole.size, start: 0, end: -1 }
}

function wholeOf(options: RemoteReadOptions, answer: RemoteAnswer): FirstPart {
  const length = answer.headers["content-length"]
  if (answer.status !== 200 || length === undefined || !/^\d+$/.test(length)) {
    throw refuse(options, answer, `it answered ${answer.status} without a length`)
  }
  const size = Number(length)
  return { headers: answer.headers, size, start: 0, end: size - 1, body: answer.body }
}

/** Returns whether a response contains the requested part, truncated only by the end of the file. */
function isAsked(asked: string, start: number, end: number, size: number): boolean {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(asked) ?? []
  if (from === "") return start === Math.max(0, size - Number(to)) && end === size - 1
  return start === Number(from) && end === Math.min(Number(to), size - 1)
}

/**
 * Returns the `Range` header of the first request of a read: its first part, so that one response has size, version and bytes. If
 * the start of the range depends on the size of the file, it requests one byte.
 */
function firstRange(range: ByteRange | undefined, partSize: number): string {
  if (range === undefined) return `bytes=0-${partSize - 1}`
  if (range.kind === "suffix" && range.length > 0 && range.length <= partSize) return `bytes=-${range.length}`
  if (range.kind === "from" && range.start <= (range.end ?? range.start)) {
    return `bytes=${range.start}-${Math.min(range.end ?? Infinity, range.start + partSize - 1)}`
  }
  return ONE_BYTE
}
