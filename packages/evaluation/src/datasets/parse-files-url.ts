import { rowFormatOf } from "@assay/contents/row-format"
import { FilesetName } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { datasetFormatError } from "./dataset-format-error.ts"
import type { FilesUrl } from "./files-url.ts"
import { isLocalPlace } from "./is-local-place.ts"

/** Its parts, or why it has none. */
type Reading = { readonly parts: Omit<FilesUrl, "text"> } | { readonly fault: string; readonly meant?: string }

const FILESET_NAME = new RegExp(FilesetName.pattern ?? "")

/**
 * Reads `<scheme>://datasets/<namespace>/<name>[/<path>]`, where the scheme is `hf` or `assay` (some platforms give the fileset the
 * name of its namespace: `hf://datasets/ns/ns/rows.jsonl`), or `namespace/name[#path]`; `name#path` is in `namespace`. Nothing is
 * percent-decoded: paths stand as files have them.
 * @param dataset what messages show; the `files_url` alone by default
 * @throws `dataset_format` with the corrected form
 */
export function parseFilesUrl(text: string, namespace: string, dataset: unknown = { files_url: text }): FilesUrl {
  const reading = read(text, namespace)
  if ("parts" in reading) return { text, ...reading.parts }
  const { fault, meant } = reading
  const isMeant = meant !== undefined && "parts" in read(meant, namespace)
  const path = rowFormatOf(text) === undefined || /[:#]/.test(text) ? "<path>" : text.replace(/^.*\//, "")
  throw datasetFormatError(dataset, fault, isMeant ? meant : `assay://datasets/${namespace}/<name>/${path}`)
}

function read(text: string, namespace: string): Reading {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/([^]*)$/i.exec(text) ?? []
  return scheme === undefined || rest === undefined ? readShort(text, namespace) : readUrl(scheme.toLowerCase(), rest)
}

function readUrl(scheme: string, rest: string): Reading {
  const [root = "", workspace = "", name = "", ...path] = rest.split("/")
  if (root !== "datasets") return { fault: "'datasets' is missing after the scheme", meant: `assay://datasets/${rest}` }
  if (scheme !== "hf" && scheme !== "assay") {
    return { fault: `the scheme '${scheme}' is none of hf and assay`, meant: `assay://${rest}` }
  }
  if (name.includes("#"))
    return { fault: "'#' stands where a slash is needed", meant: `${scheme}://${rest.replace("#", "/")}` }
  return checked(workspace, name, path.length === 0 ? undefined : path.join("/"))
}

function readShort(text: string, namespace: string): Reading {
  if (isLocalPlace(text)) return { fault: "it is a place of one machine, and rows are read from filesets" }
  const end = text.indexOf("#")
  const fileset = end < 0 ? text : text.slice(0, end)
  const path = end < 0 ? undefined : text.slice(end + 1)
  const [first = "", second, ...more] = fileset.split("/")
  if (more.length > 0) return { fault: "the scheme is missing", meant: `assay://datasets/${text.replace("#", "/")}` }
  if (second !== undefined) return checked(first, second, path)
  if (path !== undefined) return checked(namespace, first, path)
  // What is called like a file is one, though a fileset could be.
  const meant = rowFormatOf(first) === undefined ? { meant: `assay://datasets/${namespace}/${first}` } : {}
  return { fault: "the namespace is missing", ...meant }
}

function checked(workspace: string, name: string, path: string | undefined): Reading {
  if (!/^[^\s/#]+$/.test(workspace)) return { fault: `'${workspace}' is no namespace` }
  if (!FILESET_NAME.test(name)) return { fault: `'${name}' is no name of a fileset` }
  const wanted = path === "" ? undefined : path
  const fault = wanted === undefined ? undefined : pathFault(wanted)
  return fault === undefined ? { parts: { workspace, name, path: wanted } } : { fault }
}

function pathFault(path: string): string | undefined {
  try {
    parseFilePath(path.replace(/\/$/, ""))
    return undefined
  } catch (error) {
    const { message } = error as Error
    return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, "")}`
  }
}
