import { AssayError } from "@assay/schemas/errors"
import type { FileInfo, FileList } from "@assay/schemas"
import { linkAbort, type FetchBody } from "@assay/http"
import { readAnswer, type CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { readFile, type FileContent, type ReadFileOptions } from "./read-file.ts"
import { filePathRoute, filesetRoute } from "../exchange/route.ts"

export interface FileListQuery {
  /** Only the file with this path, and all files below the folder with this path. With a slash at its end: only the folder. */
  readonly path?: string
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
    query?: Omit<FileListQuery, "page_token">,
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

function place(workspace: string, fileset: string, path: string): string {
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
      readFile(exchange, url, place(workspace, fileset, path), options),
    write: async (workspace, fileset, path, body, { length, sha256, ifNoneMatch, ifMatch, signal } = {}) => {
      const target = place(workspace, fileset, path)
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
      call({ method: "DELETE", path: place(workspace, fileset, path), signal }),
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
