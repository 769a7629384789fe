import { AssayError } from "@assay/schemas/errors"
import type { FetchResponse } from "@assay/http"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { networkFailure } from "../exchange/network-failure.ts"
import type { CallAddress } from "../exchange/read-failure.ts"

export interface ReadFileOptions extends CallOptions {
  /** Bytes from `start` to `end`, counted from 0, both included. Without `end`: to the last byte. */
  readonly range?: { readonly start: number; readonly end?: number } | { readonly last: number }
  /** Read only the version with this ETag. */
  readonly ifMatch?: string
  /** Apply the range only to the version with this ETag. Of any other version, the whole file is read. */
  readonly ifRange?: string
}

/** An open file. Read `bytes` to the end or call its `return`; until then the connection is in use. */
export interface FileContent {
  /** Number of bytes in the whole file. */
  readonly size: number
  readonly etag: string | null
  /** First and last byte of `bytes` within the file. Absent: the whole file. */
  readonly range?: { readonly start: number; readonly end: number }
  /** @throws while reading: `server_unreachable` if the connection breaks before the last byte */
  readonly bytes: AsyncIterable<Uint8Array>
}

export async function readFile(
  exchange: Exchange,
  base: string,
  path: string,
  options: ReadFileOptions = {},
): Promise<FileContent> {
  const { range, ifMatch, ifRange, signal } = options
  const headers = {
    ...(range === undefined ? {} : { range: formatRange(range) }),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    ...(ifRange === undefined ? {} : { "if-range": ifRange }),
  }
  const address = { method: "GET", url: `${base}${path}` }
  const response = await exchange({ method: "GET", path, headers, signal })
  const etag = response.headers.get("etag")
  const length = contentLength(response, address)
  const bytes = checkedBytes(response, length, address, signal)
  if (response.status !== 206) return { size: length, etag, bytes }
  const [, start, end, size] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.map(Number) ?? []
  if (start === undefined || end === undefined || size === undefined || end - start + 1 !== length) {
    throw new AssayError(
      "bad_answer",
      `GET ${address.url} was answered with a part whose Content-Range is missing or wrong.`,
    )
  }
  return { size, etag, range: { start, end }, bytes }
}

function formatRange(range: NonNullable<ReadFileOptions["range"]>): string {
  return "last" in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end ?? ""}`
}

function contentLength(response: FetchResponse, { url }: CallAddress): number {
  const length = Number(response.headers.get("content-length") ?? Number.NaN)
  if (Number.isSafeInteger(length) && length >= 0) return length
  throw new AssayError("bad_answer", `GET ${url} was answered without a Content-Length.`)
}

/** Yields the body and checks its announced length, because not every transport notices a truncated body. */
async function* checkedBytes(
  response: FetchResponse,
  length: number,
  address: CallAddress,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0
  try {
    for await (const piece of response.body ?? []) {
      received += piece.length
      yield piece
    }
  } catch (error) {
    throw networkFailure(error, address, signal)
  }
  if (received === length) return
  throw new AssayError("server_unreachable", `GET ${address.url} broke off after ${received} of ${length} bytes.`)
}
