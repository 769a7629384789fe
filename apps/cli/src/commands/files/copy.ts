import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import {
  createTransferReporter,
  formatCount,
  formatJson,
  formatRowFault,
  formatTransferSummary,
} from "@assay/reports/terminal"
import { type DatasetMetadata, printable, type Purpose } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import {
  type CheckRows,
  copyFiles,
  formatFileAddress,
  parseFileAddress,
  type TransferLocation,
  type TransferReport,
} from "@assay/transfer"
import type { Context } from "../../context.ts"
import { isFolderName, isLocal } from "../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { sayText, writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { createPointerSearch } from "./find-lfs-pointers.ts"
import { selectFiles, type FilterPatterns } from "./select-files.ts"

/** Options of `push`, `pull`, `cp` and `sync`. */
export interface CopyOptions extends JsonOption, FilterPatterns {
  readonly parallel: number
  readonly dryRun?: boolean
  /** Of `push` and `cp`. */
  readonly purpose?: Purpose
  /** Of `sync`. */
  readonly delete?: boolean
}

/** Runs `assay push <from> <fileset>`. */
export async function push(context: Context, from: string, fileset: string, options: CopyOptions): Promise<void> {
  if (isFolderName(fileset) && !isLocal(context, from)) throw wrongDirection("pull", from, fileset)
  const to = filesetLocation(context, fileset)
  await copy(context, { from: localLocation(context, from), to, verbs: ["pushed", "push"], options })
}

/** Runs `assay pull <fileset> <to>`. */
export async function pull(context: Context, fileset: string, to: string, options: CopyOptions): Promise<void> {
  if (isFolderName(fileset) && !isFolderName(to)) throw wrongDirection("push", fileset, to)
  const from = filesetLocation(context, fileset)
  await copy(context, { from, to: localLocation(context, to), verbs: ["pulled", "pull"], options })
}

/** The error of `push` and `pull` whose arguments are those of the other one. */
function wrongDirection(meant: "push" | "pull", from: string, to: string): AssayError {
  const message =
    meant === "pull"
      ? `'${printable(to)}' is a path of this machine, and push writes to a fileset.`
      : `'${printable(from)}' is a path of this machine, and pull reads a fileset.`
  const context = { remedy: "If you want to copy the other way, run:", command: ["assay", meant, from, to] }
  return new AssayError("bad_usage", message, { context })
}

/** Runs `assay cp <from> <to>`: at least one side is a fileset. */
export async function cp(context: Context, from: string, to: string, options: CopyOptions): Promise<void> {
  const locations = { from: parseSource(context, from), to: parseTarget(context, to) }
  if (locations.from.kind === "local" && locations.to.kind === "local") {
    const message = `'${from}' and '${to}' are both on this machine: name a fileset such as default/reviews on one side.`
    throw new AssayError("bad_usage", message)
  }
  await copy(context, { ...locations, verbs: ["copied", "copy"], options })
}

/** Runs `assay sync <from> <to>`. */
export async function sync(context: Context, from: string, to: string, options: CopyOptions): Promise<void> {
  const locations = { from: parseSource(context, from), to: parseTarget(context, to) }
  await copy(context, { ...locations, verbs: ["synced", "sync"], options })
}

/** Parses what is copied: a location of this machine or a fileset, as `isLocal` decides. @throws `bad_usage` */
function parseSource(context: Context, written: string): TransferLocation {
  return isLocal(context, written) ? localLocation(context, written) : filesetLocation(context, written)
}

/** Parses what is written to. Only its spelling decides, so that a folder that exists is never replaced by mistake. @throws `bad_usage` */
function parseTarget(context: Context, written: string): TransferLocation {
  return isFolderName(written) ? localLocation(context, written) : filesetLocation(context, written)
}

function localLocation({ cwd }: Context, name: string): TransferLocation {
  return { kind: "local", name, path: resolve(cwd, name) }
}

function filesetLocation(context: Context, written: string): TransferLocation {
  return { kind: "fileset", address: parseFileAddress(written, defaultWorkspace(context)) }
}

interface Copy {
  readonly from: TransferLocation
  readonly to: TransferLocation
  /** The command in the past tense and in the infinitive. */
  readonly verbs: readonly [done: "pushed" | "pulled" | "copied" | "synced" | "moved", planned: string]
  readonly options: CopyOptions
}

/** Runs one copy and prints its summary. @throws `transfer_incomplete` if a file could not be moved */
export async function copy(context: Context, { from, to, verbs, options }: Copy): Promise<void> {
  const { now, stdout, stderr, signal } = context
  const start = now()
  const { json = false, dryRun = false, parallel, delete: deletes = false, purpose } = options
  let locationOf = (path: string): string => path
  let isNew = false
  const pointers = createPointerSearch()
  const reporter = createTransferReporter(context, { json, dryRun, locationOf: (path) => locationOf(path) })
  try {
    const { source, target, report } = await copyFiles({
      from,
      to,
      parallel,
      dryRun,
      delete: deletes,
      purpose,
      selection: selectFiles(options),
      client: () => openClient(context),
      checkRowsOf: (metadata) => checkRows(context, metadata),
      listener: {
        ...reporter,
        onSettled: (file, moved) => {
          if (moved && from.kind === "local") pointers.add(file)
          reporter.onSettled(file, moved)
        },
        onOpened: (source) => {
          locationOf = (path) => source.locationOf(path)
        },
        onCreated: ({ workspace, name, purpose }) => {
          isNew = true
          if (!json) sayText(stderr, `created the fileset ${workspace}/${name} (${purpose})\n`)
        },
      },
      cacheFolder: cacheFolder(context),
      now,
      random: context.random,
      sleep: context.sleep,
      signal,
    })
    reporter.end()
    const milliseconds = now() - start
    if (json) {
      const sides = { source, target, dry_run: dryRun }
      const actions = dryRun ? { actions: reporter.actions } : {}
      await writeText(stdout, formatJson({ ...sides, ...report, duration_ms: milliseconds, ...actions }))
    } else {
      const [done, planned] = verbs
      const where = done === "pulled" ? `from ${source}` : `to ${target}`
      const summary = { verb: dryRun ? `would ${planned}` : done, where, report, deletes, dryRun, milliseconds }
      await writeText(stderr, `${formatTransferSummary(summary)}\n`)
    }
    if (!json && !dryRun)
      await writeText(stderr, notesOf(to, { purpose: isNew ? undefined : purpose, deleted: report.deleted }))
    const warning = await pointers.warning(signal)
    if (warning !== undefined) await writeText(stderr, `${warning}\n`)
    checkComplete(report, dryRun, locationOf)
  } finally {
    reporter.end()
  }
}

/** Returns lines about a purpose that an existing fileset keeps, and about what brings back deleted files. Empty for a folder of this machine. */
function notesOf(
  to: TransferLocation,
  { purpose, deleted }: { readonly purpose: Purpose | undefined; readonly deleted: number },
): string {
  if (to.kind !== "fileset") return ""
  const name = formatFileAddress({ workspace: to.address.workspace, fileset: to.address.fileset })
  const ignored = `warning: --purpose changed nothing, because the fileset ${name} exists already: \`assay fileset get ${name}\` shows its purpose\n`
  const undo = `note: \`assay fileset history ${name}\` lists what was deleted, and \`assay fileset restore ${name} REVISION\` brings it back\n`
  return `${purpose === undefined ? "" : ignored}${deleted === 0 ? "" : undo}`
}

/** Returns the check of the rows of one file. Loads the modules that read rows only if a file is checked. */
function checkRows(context: Context, metadata: DatasetMetadata): CheckRows {
  return async (path, file, signal) => {
    const { checkFileRows } = await import("@assay/contents")
    const { localSchemas } = await import("../../local-schemas.ts")
    const options = { path, metadata, schemas: localSchemas(context), temporaryFolder: tmpdir(), signal }
    await checkFileRows(file.stream(0, signal), options)
  }
}

/** @throws `transfer_incomplete` with the first failed file */
function checkComplete(
  { files, failed_count, failed }: TransferReport,
  dryRun: boolean,
  locationOf: (path: string) => string,
): void {
  const [first] = failed
  if (first === undefined) return
  const { path, message: why, rows: [row] = [] } = first
  const fault = row === undefined ? why : formatRowFault(locationOf(path), row)
  const counts = dryRun
    ? `${formatCount(failed_count, "file")} would be refused, ${formatCount(files, "file")} would move`
    : `${formatCount(failed_count, "file")} could not be moved, ${formatCount(files, "file")} could`
  throw new AssayError("transfer_incomplete", `${counts}: ${fault}`, { context: { failed_count } })
}

/** Returns the folder for this user's caches, which can be deleted at any time. */
export function cacheFolder({ env, home, platform }: Context): string {
  const given = env["XDG_CACHE_HOME"] || (platform === "win32" ? env["LOCALAPPDATA"] : undefined)
  if (given !== undefined) return join(given, "assay")
  return platform === "darwin" ? join(home, "Library", "Caches", "assay") : join(home, ".cache", "assay")
}
