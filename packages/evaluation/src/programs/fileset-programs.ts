import { hash } from "node:crypto"
import type { CallerRegistry } from "@assay/registry"
import { AssayError, type EvaluationConfigBody, isAssayError, printable } from "@assay/schemas"
import { MAX_PROGRAM_FILES } from "@assay/evaluation-files"
import type { FilesetSource } from "../datasets/open-fileset-dataset.ts"
import { type FilePath, parseFilePath, quotePath, type Storage, type StoredFile } from "@assay/storage"

export interface ProgramFilesOptions {
  /** Opens a fileset, or the files of its revision. @throws `not_found`, also for filesets that the job may not see; `invalid_request` */
  readonly open: (
    workspace: string,
    name: string,
    revision: string | undefined,
  ) => Promise<Pick<Storage, "list" | "read">>
  readonly signal: AbortSignal
}

/** Bytes of the files of all programs of a job. */
const MAX_BYTES = 1024 * 1024
/** `workspace/fileset`, with a revision or a digest after `@`, and a folder or a file after `#`. */
const REFERENCE = /^([^\s/#:@]+)\/([^\s/#:@]+)(?:@([^\s#]+))?(?:#(.+))?$/

interface Program {
  readonly files?: Readonly<Record<string, string>> | string
  readonly files_from?: string
}

/**
 * Replaces the filesets that programs of a configuration name by the texts of their files, so that a job, its shards and its recording have exactly
 * these. `files_from` names what was read, with its digest.
 * @throws `invalid_request` for files that are not texts, too many or too large, or that have another digest; the errors of `open`
 */
export async function withFilesetPrograms(
  config: EvaluationConfigBody,
  options: ProgramFilesOptions,
): Promise<EvaluationConfigBody> {
  const found = new Map<string, ReadFiles>()
  let left = MAX_BYTES
  for (const reference of referencesOf(config)) {
    const read = await readFiles(reference, left, options)
    left -= read.bytes
    found.set(reference, read)
  }
  if (found.size === 0) return config
  return mapPrograms(config, (program) => {
    const read = typeof program.files === "string" ? found.get(program.files) : undefined
    return read === undefined ? program : { ...program, files: read.texts, files_from: read.from }
  })
}

/**
 * Does the same with the filesets of a server, in a job of another machine.
 * @throws `invalid_request` for a revision, which only the server itself reads
 */
export async function withSourcePrograms<Job extends { readonly config: EvaluationConfigBody }>(
  job: Job,
  { openStorage }: Pick<FilesetSource, "openStorage">,
  signal: AbortSignal,
): Promise<Job> {
  const config = await withFilesetPrograms(job.config, {
    signal,
    open(workspace, name, revision) {
      if (revision === undefined) return openStorage(workspace, name)
      const shown = printable(`${workspace}/${name}@${revision}`)
      const why = `Only a server reads the revision '${shown}' of files`
      const advice = `launch the job there, or pin the files by their digest: ${printable(name)}@sha256:…`
      throw new AssayError("invalid_request", `${why}: ${advice}.`)
    },
  })
  return config === job.config ? job : { ...job, config }
}

interface ServedFilesets {
  /** The registry with the rights of the caller. */
  readonly own: Pick<CallerRegistry, "files" | "history">
  /** @throws `not_found` for a workspace that the caller may not see */
  readonly checkSeen: (workspace: string) => void
  readonly signal: AbortSignal
}

/** Does the same with the filesets of this server and their revisions. @throws also `revision_gone` */
export async function withServedPrograms(
  config: EvaluationConfigBody,
  { own, checkSeen, signal }: ServedFilesets,
): Promise<EvaluationConfigBody> {
  return withFilesetPrograms(config, {
    signal,
    async open(workspace, name, revision) {
      checkSeen(workspace)
      if (revision === undefined) return own.files.open(workspace, name)
      const [state] = await own.history.open(workspace, name, [revision])
      if (state !== undefined) return state.storage
      throw new AssayError("not_found", `Fileset '${workspace}/${name}' has no revision '${revision.slice(0, 100)}'`)
    },
  })
}

function referencesOf(config: EvaluationConfigBody): ReadonlySet<string> {
  const references = new Set<string>()
  mapPrograms(config, (program) => {
    if (typeof program.files === "string") references.add(program.files)
    return program
  })
  return references
}

/** Returns the configuration with other programs: those of tools, of servers of tools, and of agents. */
function mapPrograms(config: EvaluationConfigBody, map: <P extends Program>(program: P) => P): EvaluationConfigBody {
  if (config.tasks === undefined) return config
  const tasks = Object.entries(config.tasks).map(([name, task]) => {
    const { conversation, agent } = task.params ?? {}
    const { tools } = conversation ?? {}
    const mapped = {
      ...(tools === undefined
        ? {}
        : {
            conversation: {
              ...conversation,
              tools: tools.map((tool) => map(tool.mcp === undefined ? tool : { ...tool, mcp: map(tool.mcp) })),
            },
          }),
      ...(agent?.program === undefined ? {} : { agent: { ...agent, program: map(agent.program) } }),
    }
    return [name, Object.keys(mapped).length === 0 ? task : { ...task, params: { ...task.params, ...mapped } }] as const
  })
  return { ...config, tasks: Object.fromEntries(tasks) }
}

interface ReadFiles {
  readonly texts: Readonly<Record<string, string>>
  readonly bytes: number
  /** `workspace/fileset@sha256:…` */
  readonly from: string
}

async function readFiles(
  reference: string,
  maxBytes: number,
  { open, signal }: ProgramFilesOptions,
): Promise<ReadFiles> {
  const [, workspace = "", name = "", pin, below] = REFERENCE.exec(reference) ?? []
  if (name === "") throw refused(reference, "is not workspace/fileset, which can have @revision and #folder")
  const digest = pin?.startsWith("sha256:") === true ? pin : undefined
  const storage = await open(workspace, name, digest === undefined ? pin : undefined).catch((error: unknown) =>
    Promise.reject(ofReference(error, reference)),
  )
  const prefix = below === undefined ? undefined : parseFilePath(below.replace(/\/$/, ""))
  const files = await listFiles(storage, prefix, { reference, maxBytes, signal })
  const named: [string, string][] = []
  for (const file of files) {
    named.push([pathBelow(file.path, prefix), await readText(storage, file, reference, signal)])
  }
  // An assignment would lose a file with the name `__proto__`.
  const texts = Object.fromEntries(named)
  const all = digestOf(texts)
  if (digest !== undefined && digest !== all) throw refused(reference, `has the digest ${all} now; correct the pin`)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return { texts, bytes, from: `${workspace}/${name}@${all}${below === undefined ? "" : `#${below}`}` }
}

async function listFiles(
  storage: Pick<Storage, "list">,
  prefix: FilePath | undefined,
  { reference, maxBytes, signal }: { reference: string; maxBytes: number; signal: AbortSignal },
): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = []
  let bytes = 0
  for await (const file of storage.list({ prefix, signal })) {
    files.push(file)
    bytes += file.size
    if (files.length > MAX_PROGRAM_FILES) throw refused(reference, `has more than ${MAX_PROGRAM_FILES} files`)
    if (bytes > maxBytes) throw refused(reference, "has more than 1 MiB, or all files of programs have")
  }
  if (files.length === 0) throw refused(reference, "has no files")
  return files
}

function pathBelow(path: FilePath, prefix: FilePath | undefined): string {
  if (prefix === undefined) return path
  return path === prefix ? path.slice(path.lastIndexOf("/") + 1) : path.slice(prefix.length + 1)
}

async function readText(
  { read }: Pick<Storage, "read">,
  { path, size }: StoredFile,
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of (await read(path, { signal })).bytes) {
    bytes += piece.length
    if (bytes > size) throw refused(reference, `changed while ${quotePath(path)} was read`)
    pieces.push(Buffer.from(piece))
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
  } catch {
    throw refused(reference, `has the file ${quotePath(path)}, which is not a text in UTF-8`)
  }
}

/** Returns the digest of files: SHA-256 over a line for each one, in the order of their paths, with its path, a space and its SHA-256. */
function digestOf(texts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(texts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${path} ${hash("sha256", text)}\n`)
  return `sha256:${hash("sha256", lines.join(""))}`
}

function refused(reference: string, why: string): AssayError {
  const what = `The files of a program in '${reference.slice(0, 200)}' can't be used: the fileset`
  return new AssayError("invalid_request", `${what} ${why}.`)
}

function ofReference(error: unknown, reference: string): unknown {
  if (!isAssayError(error, "not_found")) return error
  const { code, message, context } = error
  const what = `The files of a program in '${reference.slice(0, 200)}' are not found`
  return new AssayError(code, `${what}: ${message}`, { cause: error, context })
}
