import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import type { Readable } from "node:stream"
import { rowFormatOf } from "@assay/contents"
import { programFiles } from "@assay/evaluation"
import {
  type EvaluationContent,
  programFiles as namesOfProgramFiles,
  promptFiles,
  readEvaluationCells,
} from "@assay/evaluation-files"
import { isLocalPath, printable } from "@assay/schemas"
import type { LocatedDocument } from "@assay/validation"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText, readStreamText } from "@assay/storage"
import type { LaunchSubject } from "@assay/attempts"
import { localDatasets, mapDatasets } from "../dataset-paths.ts"
import { localLabels } from "../labels/label-paths.ts"
import { checkShortData } from "./check-short-data.ts"
import { checkRowFiles } from "./check-row-files.ts"
import { type AllowedFiles, openFolders, type OpenFolders } from "./open-folders.ts"
import { applyOverrides, type JobOverrides } from "../job-overrides.ts"

/** A job of an evaluation file, with the location of the file. */
export interface OpenedEvaluationFile {
  /** The file as the user wrote it. */
  readonly name: string
  /** Absolute path of the folder that paths in the file are relative to. For stdin: the working folder. */
  readonly folder: string
  /** Absolute path. Undefined for stdin. */
  readonly path: string | undefined
  readonly content: EvaluationContent
  /** The long form of the file, with the locations of its values in the file. */
  readonly document: LocatedDocument
  /** The model and the prompt that distinguish the job from others of the file. Undefined: it is the only one. */
  readonly label?: string | undefined
  /** Names that several checks of the short form have, each with the metrics of these checks. */
  readonly sharedNames?: ReadonlyMap<string, readonly string[]> | undefined
  /** The number of the job in the file, from 0. */
  readonly cell: number
}

const MAX_PROMPT_BYTES = 1024 * 1024

/** The jobs of an evaluation file: several if it has several models or prompts. The others are compared with the first. */
export type EvaluationFileJobs = readonly [OpenedEvaluationFile, ...OpenedEvaluationFile[]]

export interface ReadEvaluationFileOptions {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The folder that `~` means. */
  readonly home: string
  /** The files that it may name besides those of its folder, its repository and the working folder. */
  readonly allowed?: AllowedFiles | undefined
  readonly stdin: Readable
  /** Ends the wait for stdin and for the writer of a pipe. */
  readonly signal: AbortSignal
  /** Parses YAML or JSON. Messages call the document `name`. @throws `bad_document` with line and column */
  readonly parse: (text: string, name: string) => LocatedDocument
}

/** Reads an evaluation file in the short or the long form; `-` means stdin. @throws `bad_document` with line and column, `not_found` */
export async function readEvaluationFile(
  written: string,
  { cwd, home, allowed = { folders: [] }, stdin, signal, parse }: ReadEvaluationFileOptions,
): Promise<EvaluationFileJobs> {
  const path = written === "-" ? undefined : resolve(cwd, written)
  const name = path === undefined ? "stdin" : printable(written)
  checkNoRows(written)
  const document = parse(
    path === undefined ? await readStreamText(stdin, signal) : await readLocalText(path, signal),
    name,
  )
  const folder = path === undefined ? cwd : dirname(path)
  const folders = openFolders(folder, [cwd, ...allowed.folders], home)
  const prompts = new Map<string, unknown>()
  for (const file of promptFiles(document)) prompts.set(file, await readPrompt(file, folders, parse))
  const files = await programFiles.read(namesOfProgramFiles(document), folder)
  const [first, ...others] = readEvaluationCells(document, prompts, files)
  const open = (one: typeof first, cell: number): OpenedEvaluationFile => ({ ...one, name, folder, path, cell })
  const jobs: EvaluationFileJobs = [open(first, 0), ...others.map((one, at) => open(one, at + 1))]
  checkShortData(document, folder)
  for (const job of jobs) checkLocations(job)
  await checkRowFiles(jobs.flatMap(localFilesOf), { ...allowed, folders, home })
  return jobs
}

/** Finds a file with rows in the place of an evaluation file. JSON can be either. @throws `bad_document` */
function checkNoRows(written: string): void {
  const encoding = rowFormatOf(written)?.encoding
  if (encoding === undefined || encoding === "json") return
  const message = `'${printable(written)}' has rows by its name, and an evaluation file says how they are scored.`
  const context = { remedy: "Write one for these rows:", command: ["assay", "init", "--data", written] }
  throw new AssayError("bad_document", message, { context })
}

function localFilesOf({ content: { target, config } }: OpenedEvaluationFile): readonly string[] {
  return [...localDatasets({ target, config }), ...(typeof config === "string" ? [] : localLabels({ config }))]
}

/** Reads a prompt: the text of a file, or the messages in YAML or JSON. @throws `bad_document`, `not_found` */
async function readPrompt(
  written: string,
  folders: OpenFolders,
  parse: ReadEvaluationFileOptions["parse"],
): Promise<unknown> {
  const text = await programFiles.readBelow(written, { folders, what: "with a prompt", maxBytes: MAX_PROMPT_BYTES })
  return /\.(?:ya?ml|json)$/i.test(written) ? parse(text, printable(written)).value : text.trimEnd()
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

/** Returns the name of a run: the name of its configuration, or else of its file, and its label in the file. */
export function runName({ config }: Pick<LaunchSubject, "config">, { path, label }: OpenedEvaluationFile): string {
  const own = config.name ?? (path === undefined ? "evaluation" : basename(path).replace(/\.\w+$/, ""))
  const name = label === undefined ? own : `${own}-${label}`
  return name.replaceAll(/[^\w.@+-]+/g, "-").replace(/^\.+/, "") || "evaluation"
}
