import type { CachingStorage, StoredFile } from "@assay/storage"
import { forEachParallel } from "../for-each-parallel.ts"
import type { WarmupState } from "./warmup-rows.ts"

interface WarmFilesetOptions {
  readonly storage: CachingStorage
  /** Maximum bytes of the cache. */
  readonly maxBytes: number
  /** Updated during the warm-up. */
  readonly state: WarmupState
  /** Returns a message for an error that kept a file out of the cache. */
  readonly explain: (error: unknown) => string
  readonly signal: AbortSignal
}

/** Files that are fetched at a time. */
const PARALLEL = 2

/** After this many failures in a row, the other files are not tried. */
const MAX_FAILURES = 5

/**
 * Brings the files of a fileset into the cache, in the order of their paths. Cached files are skipped, so that an
 * interrupted warm-up continues from where it stopped.
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
  /** Bytes of cached files and of files being fetched. More than `maxBytes` would evict files that were fetched first. */
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

  await forEachParallel(storage.list({ signal }), PARALLEL, bring)
  const reasons = [
    ...(faults[0] === undefined ? [] : [faults[0]]),
    ...(unfit === 0 ? [] : [`${unfit} don't fit into the read cache, whose limit is ${maxBytes} bytes.`]),
  ]
  state.status = reasons.length === 0 ? "done" : "failed"
  const missing = total.files - state.cached_files
  state.error = reasons.length === 0 ? null : `${missing} of ${total.files} files are not cached. ${reasons.join(" ")}`
}
