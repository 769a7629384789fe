import { linkAbort, type FetchBody, type FetchResponse } from "@assay/http"
import type { FileInfo, FileList } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { CallOptions } from "../client-options.ts"
import { readAnswer, type CallJson } from "../exchange/call-json.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { networkFailure, type CallAddress } from "../exchange/read-failure.ts"
import { filePathRoute, filesetRoute } from "../exchange/route.ts"

export interface FileListQuery {
  /** Only the file with this path, and all files below the folder with this path. With a slash at its end: only the folder. */
  readonly path?: string
  /** False: only what is directly in the folder `path`; its folders are in `folders`. A page has at most 1,000 entries, or fewer. */
  readonly recursive?: false
  /** Only files whose path has this text, whatever its case. A page can have fewer files before the last one. */
  readonly contains?: string
  /** Number of files on one page. Default: all on one page. */
  readonly limit?: number
  /** `next_page_token` of the previous page. */
  readonly page_token?: string
}

export interface WriteFileOptions extends CallOptions {
  /** Number of bytes in a streamed body. It is sent as Content-Length, so that a truncated body is noticed. */
  readonly length?: number
  /** SHA-256 in hex. @throws `checksum_mismatch` if other bytes arrive; then nothing is changed */
  readonly sha256?: string
  /** Create only. @throws `precondition_failed` if the file exists */
  readonly ifNoneMatch?: "*"
  /** Replace only the version with this ETag. @throws `precondition_failed` */
  readonly ifMatch?: string
}

/** Files of filesets, in code-point order of their paths. */
export interface Files {
  /** @throws `not_found` */
  stat(workspace: string, fileset: string, path: string, options?: CallOptions): Promise<FileInfo>
  page(workspace: string, fileset: string, query?: FileListQuery, options?: CallOptions): Promise<FileList>
  /** Yields every file. Pages have `limit` files (default 1000), and the next page is requested while one is used. */
  list(
    workspace: string,
    fileset: string,
    query?: Omit<FileListQuery, "page_token" | "recursive">,
    options?: CallOptions,
  ): AsyncGenerator<FileInfo, void, undefined>
  /** @throws `not_found`, `range_not_satisfiable`, `precondition_failed` */
  read(workspace: string, fileset: string, path: string, options?: ReadFileOptions): Promise<FileContent>
  /** Writes all of `bytes` or nothing. A whole body is sent again if a retry can help; a stream is sent once. */
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: FetchBody,
    options?: WriteFileOptions,
  ): Promise<FileInfo>
  /** Removes a file and returns it. */
  remove(workspace: string, fileset: string, path: string, options?: CallOptions): Promise<FileInfo>
}

function pathOf(workspace: string, fileset: string, path: string): string {
  return `${filesetRoute(workspace, fileset, "-")}${filePathRoute(path)}`
}

export function createFiles(call: CallJson, exchange: Exchange, url: string): Files {
  const page: Files["page"] = async (workspace, fileset, query, { signal } = {}) =>
    call({ method: "GET", path: filesetRoute(workspace, fileset, "files"), query: { ...query }, signal })

  return {
    page,
    list: (workspace, fileset, query, { signal } = {}) =>
      listFiles((more, signal) => page(workspace, fileset, { ...query, ...more }, { signal }), query?.limit, signal),
    stat: async (workspace, fileset, path, options) => {
      const { data } = await page(workspace, fileset, { path, limit: 1 }, options)
      const file = data.find((file) => file.path === path)
      if (file !== undefined) return file
      throw new AssayError("not_found", `File '${path}' not found in fileset '${workspace}/${fileset}'.`)
    },
    read: async (workspace, fileset, path, options) =>
      readFile(exchange, url, pathOf(workspace, fileset, path), options),
    write: async (workspace, fileset, path, body, { length, sha256, ifNoneMatch, ifMatch, signal } = {}) => {
      const target = pathOf(workspace, fileset, path)
      const headers = {
        accept: "application/json",
        "content-type": "application/octet-stream",
        ...(length === undefined ? {} : { "content-length": String(length) }),
        ...(sha256 === undefined ? {} : { "x-checksum-sha256": sha256 }),
        ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      }
      const response = await exchange({ method: "PUT", path: target, headers, body, signal })
      return readAnswer(response, { method: "PUT", url: `${url}${target}` }, signal)
    },
    remove: async (workspace, fileset, path, { signal } = {}) =>
      call({ method: "DELETE", path: pathOf(workspace, fileset, path), signal }),
  }
}

const LIST_PAGE_SIZE = 1000

type ReadPage = (query: { limit: number; page_token?: string }, signal: AbortSignal) => Promise<FileList>

/** Yields every file of a paged listing. The next page is requested while one is used. */
async function* listFiles(
  readPage: ReadPage,
  limit = LIST_PAGE_SIZE,
  signal?: AbortSignal,
): AsyncGenerator<FileInfo, void, undefined> {
  const { signal: ending, end } = linkAbort(signal)
  try {
    let next: Promise<FileList> | undefined = readPage({ limit }, ending)
    while (next !== undefined) {
      const { data, next_page_token }: FileList = await next
      if (!Array.isArray(data)) throw new AssayError("bad_answer", "A page of the file listing has no `data`.")
      next = next_page_token === undefined ? undefined : readPage({ limit, page_token: next_page_token }, ending)
      // It is awaited only after this page is used up. Until then its failure must not count as unhandled.
      next?.catch(() => undefined)
      yield* data
    }
  } finally {
    end()
  }
}

export interface ReadFileOptions extends CallOptions {
  /** Bytes from `start` to `end`, counted from 0, both included. Without `end`: to the last byte. */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | { readonly last: number } | undefined
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
  readonly range?: { readonly start: number; readonly end: number } | undefined
  /** @throws while reading: `server_unreachable` if the connection breaks before the last byte */
  readonly bytes: AsyncIterable<Uint8Array>
}

async function readFile(
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
    throw new AssayError("bad_answer", `GET ${address.url} returned a part whose Content-Range is missing or wrong.`)
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
