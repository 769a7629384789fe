import { rowFormatOf } from "@assay/contents"
import { FilesetName, isLocalPath } from "@assay/schemas"
import { isObject } from "@assay/json"
import { parseFilePath, type FilePath } from "@assay/storage"
import { datasetFormatError } from "./dataset-errors.ts"

/** The row files of a fileset that a `files_url` names. */
export interface FilesUrl {
  /** As it was written, for messages. */
  readonly text: string
  readonly workspace: string
  /** The name of the fileset. */
  readonly name: string
  /** A file, a folder or a glob; undefined: every row file. */
  readonly path: FilePath | FolderPath | undefined
}

/** A file path with a slash at its end, which can only be a folder. */
export type FolderPath = `${string}/`

/**
 * Reads the dataset of a target or a task: an object with `files_url`, or only its text.
 * @throws `dataset_format`
 */
export function filesUrlOf(dataset: unknown, defaultWorkspace: string): FilesUrl {
  if (typeof dataset === "string") return parseFilesUrl(dataset, defaultWorkspace, dataset)
  const url = isObject(dataset) ? dataset["files_url"] : undefined
  if (typeof url === "string") return parseFilesUrl(url, defaultWorkspace, dataset)
  const fault = !isObject(dataset)
    ? "it is not an object"
    : url === undefined
      ? "it has none"
      : "its files_url is not a text"
  throw datasetFormatError(dataset, fault, `assay://datasets/${defaultWorkspace}/<name>/<path>`)
}

/**
 * Reads a dataset for `openDataset` of a job's environment. A path on the machine that runs the job stays a text: an environment
 * without such paths refuses it.
 * @throws `dataset_format`
 */
export function datasetReferenceOf(dataset: unknown, defaultWorkspace: string): FilesUrl | string {
  const text = isObject(dataset) && "files_url" in dataset ? dataset["files_url"] : dataset
  return typeof text === "string" && isLocalPath(text) ? text : filesUrlOf(dataset, defaultWorkspace)
}

/** The parts of an address, or why it can't be read. */
type Reading = { readonly parts: Omit<FilesUrl, "text"> } | { readonly fault: string; readonly meant?: string }

const FILESET_NAME = new RegExp(FilesetName.pattern ?? "")

/**
 * Reads `<scheme>://datasets/<namespace>/<name>[/<path>]` with the scheme `hf` or `assay` (some platforms give the fileset the
 * name of its namespace: `hf://datasets/ns/ns/rows.jsonl`), or `namespace/name[#path]`. `name#path` is in the workspace `defaultWorkspace`. Nothing is
 * percent-decoded: paths are written as the files have them.
 * @param dataset shown in messages; by default only the `files_url`
 * @throws `dataset_format` with the corrected form
 */
export function parseFilesUrl(
  text: string,
  defaultWorkspace: string,
  dataset: unknown = { files_url: text },
): FilesUrl {
  const reading = read(text, defaultWorkspace)
  if ("parts" in reading) return { text, ...reading.parts }
  const { fault, meant } = reading
  const isMeant = meant !== undefined && "parts" in read(meant, defaultWorkspace)
  const path = rowFormatOf(text) === undefined || /[:#]/.test(text) ? "<path>" : text.replace(/^.*\//, "")
  throw datasetFormatError(dataset, fault, isMeant ? meant : `assay://datasets/${defaultWorkspace}/<name>/${path}`)
}

function read(text: string, defaultWorkspace: string): Reading {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/([^]*)$/i.exec(text) ?? []
  return scheme === undefined || rest === undefined
    ? readShort(text, defaultWorkspace)
    : readUrl(scheme.toLowerCase(), rest)
}

function readUrl(scheme: string, rest: string): Reading {
  const [root = "", workspace = "", name = "", ...path] = rest.split("/")
  if (root !== "datasets") return { fault: "'datasets' is missing after the scheme", meant: `assay://datasets/${rest}` }
  if (scheme !== "hf" && scheme !== "assay") {
    return { fault: `the scheme '${scheme}' is not hf or assay`, meant: `assay://${rest}` }
  }
  if (name.includes("#"))
    return { fault: "it has '#' instead of a slash", meant: `${scheme}://${rest.replace("#", "/")}` }
  return checked(workspace, name, path.length === 0 ? undefined : path.join("/"))
}

function readShort(text: string, defaultWorkspace: string): Reading {
  if (isLocalPath(text)) return { fault: "it is a place on one machine, and rows are read from filesets" }
  const end = text.indexOf("#")
  const fileset = end < 0 ? text : text.slice(0, end)
  const path = end < 0 ? undefined : text.slice(end + 1)
  const [first = "", second, ...more] = fileset.split("/")
  if (more.length > 0) return { fault: "the scheme is missing", meant: `assay://datasets/${text.replace("#", "/")}` }
  if (second !== undefined) return checked(first, second, path)
  if (path !== undefined) return checked(defaultWorkspace, first, path)
  // A name that ends like a file is taken for one, though a fileset could have it.
  const meant = rowFormatOf(first) === undefined ? { meant: `assay://datasets/${defaultWorkspace}/${first}` } : {}
  return { fault: "the namespace is missing", ...meant }
}

function checked(workspace: string, name: string, path: string | undefined): Reading {
  if (!/^[^\s/#]+$/.test(workspace)) return { fault: `'${workspace}' is not a namespace` }
  if (!FILESET_NAME.test(name)) return { fault: `'${name}' is not the name of a fileset` }
  try {
    return { parts: { workspace, name, path: path === undefined || path === "" ? undefined : parsePath(path) } }
  } catch (error) {
    const { message } = error as Error
    return { fault: `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, "")}` }
  }
}

function parsePath(path: string): FilePath | FolderPath {
  return path.endsWith("/") ? `${parseFilePath(path.slice(0, -1))}/` : parseFilePath(path)
}

/** The address of a fileset with a dataset. */
export const filesUrl = Object.freeze({ parse: parseFilesUrl, of: filesUrlOf, reference: datasetReferenceOf })
