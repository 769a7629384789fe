import { AssayError } from "@assay/schemas/errors"
import type { FileInfo, FileList } from "@assay/schemas"
import { linkAbort, type FetchBody } from "@assay/http"
import { readAnswer, type CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { readFile, type FileContent, type ReadFileOptions } from "./read-file.ts"
import { filePathRoute, filesetRoute } from "../exchange/route.ts"

export interface FileListQuery {
  /** The file of this path and everything below the folder of this path; with a slash at its end the folder alone. */
  readonly path?: string
  /** Files on one page; all of them on one where it is absent. */
  readonly limit?: number
  /** `next_page_token` of the page before. */
  readonly page_token?: string
}

export interface WriteFileOptions extends CallOptions {
  /** Bytes of a body that is streamed; sent as Content-Length, so that a short body is noticed. */
  readonly length?: number
  /** SHA-256 in hex. @throws `checksum_mismatch` where other bytes arrive, and nothing is changed */
  readonly sha256?: string
  /** Create only. @throws `precondition_failed` where the file exists */
  readonly ifNoneMatch?: "*"
  /** Replace only the version with this ETag. @throws `precondition_failed` */
  readonly ifMatch?: string
}

/** Files of filesets, in code-point order of their paths. */
export interface Files {
  /** @throws `not_found` */
  stat(workspace: string, fileset: string, path: string, options?: CallOptions): Promise<FileInfo>
  page(workspace: string, fileset: string, query?: FileListQuery, options?: CallOptions): Promise<FileList>
  /** Every file, 1000 to a page unless `limit` says otherwise; the next page is on its way while one is used. */
  list(
    workspace: string,
    fileset: string,
    query?: Omit<FileListQuery, "page_token">,
    options?: CallOptions,
  ): AsyncGenerator<FileInfo, void, undefined>
  /** @throws `not_found`, `range_not_satisfiable`, `precondition_failed` */
  read(workspace: string, fileset: string, path: string, options?: ReadFileOptions): Promise<FileContent>
  /** All of `bytes` or nothing. A body given whole is sent again where a retry helps; a stream is sent once. */
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: FetchBody,
    options?: WriteFileOptions,
  ): Promise<FileInfo>
  /** Answers with the removed file. */
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

/** Every file of a listing in pages. One page is held while the next is on its way. */
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
      // It is awaited only when this page is used up; until then its failure must not count as unhandled.
      next?.catch(() => undefined)
      yield* data
    }
  } finally {
    end()
  }
}
