import { statSync, type BigIntStats, type Dirent } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { sep } from "node:path"
import { compareCodePoints, localFailure, systemCode } from "@assay/storage"
import type { SkippedEntry, SkipReason } from "../sides/transfer-side.ts"
import { isPartialName } from "./write-local-file.ts"

/** A file of a local folder. */
export interface LocalFile {
  /** Relative to the folder, `/`-separated. */
  readonly path: string
  /** Path for the system. */
  readonly systemPath: string
  readonly stats: BigIntStats
}

export interface WalkOptions {
  readonly signal: AbortSignal
  readonly onSkip: (skipped: SkippedEntry) => void
  /** Called with the system path of every unfinished file of an earlier run. */
  readonly onPartial: (systemPath: string) => void
}

/**
 * Lists every file below `root`, ordered by the code points of the path. Holds the names of one folder per level in memory.
 * Links that stay inside `root` are followed. Every other entry that is not a file goes to `onSkip`.
 */
export async function* walkFolder(root: string, options: WalkOptions): AsyncGenerator<LocalFile, void, undefined> {
  const real = await realpath(root).catch((error: unknown) => {
    throw localFailure(error, "read", root)
  })
  yield* walk({ systemPath: root, prefix: "", above: [real] }, real, options)
}

interface WalkedFolder {
  readonly systemPath: string
  /** Path of the folder with a slash at its end. Empty for the root. */
  readonly prefix: string
  /** Real paths of this folder and of the folders above it. */
  readonly above: readonly string[]
}

async function* walk(
  folder: WalkedFolder,
  root: string,
  options: WalkOptions,
): AsyncGenerator<LocalFile, void, undefined> {
  for (const { entry, isFolder, above } of await readFolder(folder, root, options)) {
    options.signal.throwIfAborted()
    const systemPath = `${folder.systemPath}${sep}${entry.name}`
    const path = folder.prefix + entry.name
    if (isFolder) yield* walk({ systemPath, prefix: `${path}/`, above }, root, options)
    else if (isPartialName(entry.name)) options.onPartial(systemPath)
    else {
      const stats = statFile(path, systemPath, options)
      if (stats !== undefined) yield { path, systemPath, stats }
    }
  }
}

/** Synchronous: for ten thousand files, promises would cost more than all other work together. */
function statFile(path: string, systemPath: string, { onSkip }: WalkOptions): BigIntStats | undefined {
  try {
    const stats = statSync(systemPath, { bigint: true, throwIfNoEntry: false })
    // Node replaces bytes that are not UTF-8 with U+FFFD. No file has that name.
    if (stats === undefined && path.includes("\uFFFD")) onSkip({ path, reason: "odd name" })
    if (stats?.isFile() !== false) return stats
    // Something else replaced the file after the folder was read.
    onSkip({ path, reason: "special file" })
    return undefined
  } catch (error) {
    onSkip({ path, reason: "unreadable", error })
    return undefined
  }
}

interface WalkedEntry {
  readonly entry: Dirent
  readonly isFolder: boolean
  readonly above: readonly string[]
}

/** Lists the files and folders of one folder in the order of their paths. Links are resolved. */
async function readFolder(folder: WalkedFolder, root: string, options: WalkOptions): Promise<readonly WalkedEntry[]> {
  const entries = await readdir(folder.systemPath, { withFileTypes: true }).catch((error: unknown) => {
    if (folder.prefix === "") throw localFailure(error, "read", folder.systemPath)
    options.onSkip({ path: folder.prefix, reason: "unreadable", error })
    return []
  })
  const walked: WalkedEntry[] = []
  for (const entry of entries) {
    const path = folder.prefix + entry.name
    if (entry.isFile()) walked.push({ entry, isFolder: false, above: folder.above })
    else if (entry.isDirectory()) {
      walked.push({
        entry,
        isFolder: true,
        above: [...folder.above, `${folder.above.at(-1) ?? ""}${sep}${entry.name}`],
      })
    } else if (entry.isSymbolicLink()) {
      const target = await followLink(`${folder.systemPath}${sep}${entry.name}`, root, folder.above)
      if (typeof target === "string") options.onSkip({ path, reason: target })
      else walked.push({ entry, ...target, above: [...folder.above, target.real] })
    } else options.onSkip({ path, reason: "special file" })
  }
  // The paths below a folder begin with its name and a slash, which decides the order.
  const keyed = walked.map((one) => ({ one, key: one.isFolder ? `${one.entry.name}/` : one.entry.name }))
  return keyed.toSorted((a, b) => compareCodePoints(a.key, b.key)).map(({ one }) => one)
}

async function followLink(
  systemPath: string,
  root: string,
  above: readonly string[],
): Promise<SkipReason | { readonly isFolder: boolean; readonly real: string }> {
  try {
    const real = await realpath(systemPath)
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) return "link outside"
    const target = await stat(real)
    if (target.isDirectory()) return above.includes(real) ? "link loop" : { isFolder: true, real }
    return target.isFile() ? { isFolder: false, real } : "special file"
  } catch (error) {
    return systemCode(error) === "ELOOP" ? "link loop" : "broken link"
  }
}
