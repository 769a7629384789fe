import { formatBytes, formatCount, formatTime } from "@assay/reports/terminal"
import { type FileInfo, printable, printableJson } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatFileAddress, parseFileAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { listFilesets } from "../fileset/list-filesets.ts"
import { type FilterPatterns, selectFiles } from "./select-files.ts"

const SIZE_WIDTH = 10
const TIME_WIDTH = 20
/** Of a time such as `13 min ago` or `2026-11-20`. */
const AGO_WIDTH = 10

export interface LsOptions extends JsonOption, FilterPatterns {
  readonly folders?: boolean
}

/** A folder of a listing with the files below it. */
interface Folder {
  /** Ends with a slash. */
  readonly path: string
  readonly files: number
  readonly size: number
}

/** Runs `assay ls [fileset]`: prints line by line, so that memory does not depend on the number of files. Without a fileset it lists filesets. */
export async function ls(context: Context, fileset: string | undefined, options: LsOptions): Promise<void> {
  const { json, include, exclude, folders = false } = options
  if (fileset === undefined) {
    const given = include !== undefined ? "--include" : exclude !== undefined ? "--exclude" : folders && "--folders"
    if (given !== false) throw new AssayError("bad_usage", `${given} selects files of a fileset: name one.`)
    return await listFilesets(context, json === undefined ? {} : { json })
  }
  const address = parseFileAddress(fileset, defaultWorkspace(context))
  const { workspace, fileset: name, path } = address
  const files = openClient(context).files.list(workspace, name, path === undefined ? {} : { path }, {
    signal: context.signal,
  })
  const { isSelected } = selectFiles(options)
  const now = context.isTerminal.stdout ? context.now() : undefined
  let count = 0
  let isEmpty = true
  const seen = async function* () {
    for await (const file of files) {
      isEmpty = false
      if (isSelected(file.path)) yield file
    }
  }
  for await (const entry of folders ? foldersOf(seen(), path ?? "") : seen()) {
    if (json === true)
      await writeText(context.stdout, `${count === 0 ? '{"data": [\n' : ",\n"}${printableJson(JSON.stringify(entry))}`)
    else await writeText(context.stdout, formatEntry(entry, now))
    count += 1
  }
  if (isEmpty && path !== undefined && path !== "") {
    throw new AssayError(
      "not_found",
      `File '${path}' not found in fileset '${formatFileAddress({ workspace, fileset: name })}'.`,
    )
  }
  if (json === true) await writeText(context.stdout, count === 0 ? '{"data": []}\n' : "\n]}\n")
}

function formatEntry(entry: FileInfo | Folder, now: number | undefined): string {
  // Milliseconds are of no use to people.
  const time = (file: FileInfo) => formatTime(file.updated_at ?? "", now).replace(/\.\d+/, "")
  const what = "files" in entry ? formatCount(entry.files, "file") : time(entry)
  const width = now === undefined ? TIME_WIDTH : AGO_WIDTH
  return `${formatBytes(entry.size).padStart(SIZE_WIDTH)}  ${what.padEnd(width)}  ${printable(entry.path)}\n`
}

/** Yields the files at a level, and one folder for the files below each of its folders. Files come in the order of their paths. */
async function* foldersOf(files: AsyncIterable<FileInfo>, path: string): AsyncGenerator<FileInfo | Folder> {
  const level = path === "" || path.endsWith("/") ? path : `${path}/`
  let folder: Folder | undefined
  for await (const file of files) {
    const end = file.path.startsWith(level) ? file.path.indexOf("/", level.length) : -1
    const name = end === -1 ? undefined : file.path.slice(0, end + 1)
    if (folder !== undefined && folder.path !== name) {
      yield folder
      folder = undefined
    }
    if (name === undefined) yield file
    else folder = { path: name, files: (folder?.files ?? 0) + 1, size: (folder?.size ?? 0) + file.size }
  }
  if (folder !== undefined) yield folder
}
