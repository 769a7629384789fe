import { setTimeout } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas"
import { diskFailure } from "./disk-failure.ts"
import type { FileChange } from "./file-history.ts"
import { type FilePath, quotePath } from "./file-path.ts"
import { forEachParallel } from "./for-each-parallel.ts"
import type { KeptFile, Storage } from "./storage.ts"

/**
 * Writes or deletes a file, and remembers how to undo it.
 * @param sha256 digest of what `work` writes, or returns the digest of what it has written; undefined: it deletes the file
 */
export type ChangeFile = (
  path: FilePath,
  sha256: string | (() => string) | undefined,
  work: () => Promise<void>,
) => Promise<void>

export interface UndoOptions {
  /** The change that all of them are a part of, for the history. */
  readonly change?: FileChange | undefined
  /** The sentence that ends an error if changes could not be undone: how to complete them. */
  readonly completion: string
  /** Changes that are remembered. With more, none is undone: a commit can delete millions of files. Default: 10,000. */
  readonly maxChanges?: number
}

interface Change {
  readonly path: string
  /** Undefined: the change can't be undone. */
  readonly kept: NotedFile | undefined
}

interface NotedFile extends Pick<KeptFile, "restore" | "drop"> {
  /** Notes what was written, once. */
  note(): Promise<void>
}

function noted(kept: KeptFile, sha256: Parameters<ChangeFile>[1]): NotedFile {
  let isNoted = sha256 === undefined
  return {
    async note() {
      if (!isNoted) await kept.note((typeof sha256 === "function" ? sha256() : sha256) ?? "")
      isNoted = true
    },
    restore: () => kept.restore(),
    drop: () => kept.drop(),
  }
}

const MAX_CHANGES = 10_000
const MAX_NAMED = 20
const PARALLEL_DROPS = 8

/**
 * Runs work that changes files of a storage. If it fails, undoes the changes, the last one first. Object stores, and file systems without
 * hard links, keep no former files.
 * @throws the error of the work. If changes could not be undone, its message names them
 */
export async function undoOnError<T>(
  storage: Pick<Storage, "keep">,
  work: (change: ChangeFile) => Promise<T>,
  options: UndoOptions,
): Promise<T> {
  const { completion, maxChanges = MAX_CHANGES } = options
  const done: Change[] = []
  let count = 0

  const change: ChangeFile = async (path, sha256, run) => {
    const kept = count < maxChanges ? await storage.keep?.(path, options.change) : undefined
    try {
      await run()
    } catch (error) {
      await kept?.drop()
      throw error
    }
    count += 1
    const made = { path, kept: kept && noted(kept, sha256) }
    await made.kept?.note().catch(() => {})
    if (count <= maxChanges) done.push(made)
    else await kept?.drop()
    if (count === maxChanges + 1) await dropAll()
  }

  async function dropAll(): Promise<void> {
    const kept = done.flatMap((change) => change.kept ?? [])
    for (const [at, { path }] of done.entries()) done[at] = { path, kept: undefined }
    await forEachParallel(kept, PARALLEL_DROPS, (one) => one.drop())
  }

  /** Returns the paths of changes that stay. */
  async function undo(): Promise<readonly string[]> {
    const left: string[] = []
    for (const { path, kept } of done.toReversed()) {
      if (kept === undefined || !(await hasRestored(kept, left.length === 0))) left.push(path)
    }
    return left.toReversed()
  }

  try {
    const value = await work(change)
    await dropAll()
    return value
  } catch (error) {
    const left = await undo()
    await dropAll()
    throw left.length === 0 ? error : withLeft(error, { left, count: count - done.length + left.length, completion })
  }
}

/** Milliseconds between two attempts. */
const PAUSE_MS = 200
/** A process that has too many files open can soon open another one. */
const ATTEMPTS = 10

async function hasRestored(kept: NotedFile, isPatient: boolean): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await kept.note()
      await kept.restore()
      return true
    } catch {
      if (!isPatient || attempt === ATTEMPTS) return false
    }
    await setTimeout(PAUSE_MS)
  }
}

interface LeftChanges {
  readonly left: readonly string[]
  readonly count: number
  readonly completion: string
}

function withLeft(error: unknown, { left, count, completion }: LeftChanges): unknown {
  const failure = isAssayError(error) ? error : diskFailure(error)
  if (failure === undefined) return error
  const named = left.slice(0, MAX_NAMED).map((path) => quotePath(path))
  const more = count > named.length ? ` and ${count - named.length} more` : ""
  const what = count === 1 ? "One file has" : `${count} files have`
  const message = `${failure.message} ${what} changed already: ${named.join(", ")}${more}. ${completion}`
  const context = { ...failure.context, changed_files: count, changed_paths: left.slice(0, MAX_NAMED) }
  return new AssayError(failure.code, message, { context, issues: failure.issues, cause: error })
}
