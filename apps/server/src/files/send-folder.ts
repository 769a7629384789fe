import { clientSignal } from "@assay/http/node"
import type { Files } from "@assay/filesets"
import { AssayError, type FileList, isAssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import type { FastifyReply, FastifyRequest } from "fastify"
import { sendPieces } from "../http/send-pieces.ts"
import { FOLDER_PAGE_HEADERS, formatFolder } from "./folder-page.ts"

export interface FolderRequest {
  readonly files: Pick<Files, "list">
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly ws: string
  readonly name: string
}

/** Entries of one page of the listing. */
const ENTRIES = 1000

/** Returns whether the path of a request names a folder: the fileset itself, or a path with a slash at its end. */
export function namesFolder(path: string): boolean {
  return path === "" || path.endsWith("/")
}

/**
 * Sends the files and folders of a folder: a page with links, or the first page of a `FileList` to those who ask for JSON.
 * @throws `bad_path`; `not_found` if the folder does not exist
 */
export async function sendFolder(
  { files, request, reply, ws, name }: FolderRequest,
  path: string,
): Promise<FastifyReply> {
  const folder = path === "" ? "" : `${parseFilePath(path.slice(0, -1))}/`
  const signal = clientSignal(reply.raw)
  const list = (page_token?: string) =>
    files.list(ws, name, { path: folder, recursive: false, limit: ENTRIES, page_token, signal })
  const first = await list()
  if (folder !== "" && isEmpty(first)) {
    throw new AssayError("not_found", `Folder '${folder}' not found in fileset '${ws}/${name}'.`)
  }
  if (wantsJson(request)) return reply.header("vary", "Accept").send(first)
  const page = formatFolder({ fileset: `${ws}/${name}`, folder, lists: pagesFrom(first, list) })
  if (request.method === "GET") return sendPieces(reply, page, FOLDER_PAGE_HEADERS)
  await page.return()
  return reply.headers(FOLDER_PAGE_HEADERS).send()
}

/** Redirects a request for `folder` to `folder/`, after the file of that name was not found. @throws `error` if the folder does not exist either */
export async function redirectToFolder(
  { files, request, reply, ws, name }: FolderRequest,
  path: string,
  error: unknown,
): Promise<FastifyReply> {
  if (!isAssayError(error, "not_found")) throw error
  const query = { path: `${path}/`, recursive: false, limit: 1, signal: clientSignal(reply.raw) }
  const found = await files.list(ws, name, query).catch(() => undefined)
  if (found === undefined || isEmpty(found)) throw error
  // The address has no query: the route refuses one.
  return reply.redirect(`./${request.url.slice(request.url.lastIndexOf("/") + 1)}/`, 302)
}

function isEmpty({ data, folders = [], next_page_token }: FileList): boolean {
  return data.length === 0 && folders.length === 0 && next_page_token === undefined
}

function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return accept.includes("application/json") && !accept.includes("text/html")
}

async function* pagesFrom(
  first: FileList,
  list: (pageToken: string) => Promise<FileList>,
): AsyncGenerator<FileList, void, undefined> {
  for (let page = first; ; page = await list(page.next_page_token)) {
    yield page
    if (page.next_page_token === undefined) return
  }
}
