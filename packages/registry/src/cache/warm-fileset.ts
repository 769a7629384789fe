import type { CachingStorage, StoredFile } from "@assay/storage"
import { forEachParallel } from "./for-each-parallel.ts"
import type { WarmupState } from "./warmup-rows.ts"

export interface WarmFilesetOptions {
  readonly storage: CachingStorage
  /** Of the cache. */
  readonly maxBytes: number
  /** Kept up to date all the way. */
  readonly state: WarmupState
  /** The words for what has kept a file out. */
  readonly explain: (error: unknown) => string
  readonly signal: AbortSignal
}

/** Files that are brought at a time. */
const AT_ONCE = 2

/** After so many files in a row that could not be had, the others are not tried. */
const MAX_FAILURES = 5

/**
 * Brings the files of a fileset into the cache, in the order of their paths; what is in it already is passed over, so
 * that a warm-up which was broken off goes on where it was.
 */
export async function warmFileset(options: WarmFilesetOptions): Promise<void> {
  const { storage, maxBytes, state, explain, signal } = options
  const total = { files: 0, bytes: 0 }
  for await (const { size } of storage.list({ signal })) {
    total.files += 1
    total.bytes += size
  }
  Object.assign(state, total)
  const faults: string[] = []
  let failuresInARow = 0
  let unfit = 0
  /** Bytes of what is cached and of what is on its way: more than fits would push out what was brought first. */
  let planned = 0

  async function bring(file: StoredFile): Promise<void> {
    if (failuresInARow >= MAX_FAILURES) return
    if (planned + file.size > maxBytes) {
      unfit += 1
      return
    }
    planned += file.size
    try {
      if (await storage.cache(file, signal)) {
        state.cached_files += 1
        state.cached_bytes += file.size
      } else unfit += 1
      failuresInARow = 0
    } catch (error) {
      signal.throwIfAborted()
      planned -= file.size
      failuresInARow += 1
      faults.push(explain(error))
    }
  }

  await forEachParallel(storage.list({ signal }), AT_ONCE, bring)
  const reasons = [
    ...(faults[0] === undefined ? [] : [faults[0]]),
    ...(unfit === 0 ? [] : [`${unfit} don't fit into the read cache, which takes ${maxBytes} bytes in all.`]),
  ]
  state.status = reasons.length === 0 ? "done" : "failed"
  const missing = total.files - state.cached_files
  state.error = reasons.length === 0 ? null : `${missing} of ${total.files} files are not cached. ${reasons.join(" ")}`
}
