import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { rowFormatOf } from "@assay/contents"
import { type EvaluationContent, isLocalPath, printable, readEvaluationContent } from "@assay/schemas"
import type { LocatedDocument } from "@assay/schemas/validation"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import type { LaunchSubject } from "../../launch/launch-ports.ts"
import { mapDatasets } from "../dataset-paths.ts"
import { applyOverrides, type JobOverrides } from "../job-overrides.ts"

/** An evaluation file with its location. */
export interface OpenedEvaluationFile {
  /** The file as the user wrote it. */
  readonly name: string
  /** Absolute path of the folder that paths in the file are relative to. For stdin: the working folder. */
  readonly folder: string
  /** Absolute path. Undefined for stdin. */
  readonly path: string | undefined
  readonly content: EvaluationContent
  /** The parsed file, with the locations of its values. */
  readonly document: LocatedDocument
}

export interface ReadEvaluationFileOptions {
  /** Absolute path of the working folder. */
  readonly cwd: string
  readonly stdin: Readable
  /** Parses YAML or JSON. Messages call the document `name`. @throws `bad_document` with line and column */
  readonly parse: (text: string, name: string) => LocatedDocument
}

/** Reads an evaluation file; `-` means stdin. @throws `bad_document` with line and column, `not_found` */
export async function readEvaluationFile(
  written: string,
  { cwd, stdin, parse }: ReadEvaluationFileOptions,
): Promise<OpenedEvaluationFile> {
  const path = written === "-" ? undefined : resolve(cwd, written)
  const name = path === undefined ? "stdin" : printable(written)
  const document = parse(path === undefined ? await text(stdin) : await readLocalText(path), name)
  const content = readEvaluationContent(document)
  const folder = path === undefined ? cwd : dirname(path)
  const opened = { name, folder, path, content, document }
  checkLocations(opened)
  return opened
}

/** Finds row files beside the evaluation file that are written like a fileset: `rows.csv` for `./rows.csv`. @throws `bad_document` */
function checkLocations({ name, folder, content }: OpenedEvaluationFile): void {
  const { target, config } = content
  mapDatasets({ target, config }, (filesUrl) => {
    const isFile = !isLocalPath(filesUrl) && !/[:#]/.test(filesUrl) && rowFormatOf(filesUrl) !== undefined
    if (!isFile || !existsSync(resolve(folder, filesUrl))) return filesUrl
    const location = printable(filesUrl)
    throw new AssayError(
      "bad_document",
      `${name} names the rows '${location}', which means a fileset: write './${location}' for the file beside it.`,
    )
  })
}

/**
 * Returns the job of a file with the overrides applied.
 * @param workspace the workspace of a file that names none
 * @throws `bad_document` if the file names something that only a server has
 */
export function jobOfFile(
  { name, content }: OpenedEvaluationFile,
  { workspace, overrides }: { readonly workspace: string; readonly overrides: JobOverrides },
): LaunchSubject {
  const { target, config, namespace = workspace } = content
  if (typeof target === "string") throw onlyOnServer(name, "target", target)
  if (typeof config === "string") throw onlyOnServer(name, "config", config)
  return { namespace, target, config: applyOverrides(config, overrides) }
}

function onlyOnServer(file: string, field: string, name: string): AssayError {
  const message = `${file} names the ${field} '${printable(name)}', which only a server has: give --server (or set ASSAY_URL), or write the ${field} into the file.`
  return new AssayError("bad_document", message)
}

/** Returns the name of a run: the name of its configuration, or else of its file. */
export function runName({ config }: LaunchSubject, { path }: OpenedEvaluationFile): string {
  const name = config.name ?? (path === undefined ? "evaluation" : basename(path).replace(/\.\w+$/, ""))
  return name.replaceAll(/[^\w.@+-]+/g, "-").replace(/^\.+/, "") || "evaluation"
}
