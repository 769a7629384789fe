import { setTimeout } from "node:timers/promises"
import { isAssayError } from "@assay/schemas"
import { forEachParallel, isCachingStorage, type CachingStorage, type ReadCache, type StoredFile } from "@assay/storage"
import type { Queries } from "@assay/database"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { ALL_SECRETS } from "../storages/secret-rights.ts"
import {
  WARMUP_LEASE_MS,
  leaseWarmup,
  recordWarmup,
  saveWarmup,
  type LeasedWarmup,
  type WarmupState,
} from "./warmup-rows.ts"

/**
 * Brings filesets into the cache in the background. The database records the warm-ups, so they continue after a restart.
 * Servers that share the database share the work.
 */
export interface Warmups {
  /** Records, in a transaction, that a fileset is to be brought into the cache. `wake` then starts the work. */
  record(queries: Queries, filesetId: string, time: number): Promise<void>
  /** Starts a worker, unless enough are running. */
  wake(): void
  /** Ends the warm-up of a fileset, if this server runs it. */
  callOff(filesetId: string): Promise<void>
}

/** Maximum number of filesets at a time. */
const LANES = 2
const SAVE_MS = 1000

type WarmupsContext = Pick<FilesetsContext, "database" | "now" | "background" | "log">

/** @param open opens a fileset for the caller who started the warm-up, and had the right to its secrets */
export function createWarmups(context: WarmupsContext, cache: ReadCache, open: OpenFileset): Warmups {
  const { background, log } = context
  const running = new Map<string, { readonly callOff: () => void; readonly ended: Promise<void> }>()
  let lanes = 0

  async function warm(leased: LeasedWarmup, closing: AbortSignal, calledOff: AbortSignal): Promise<void> {
    const lost = new AbortController()
    const signal = AbortSignal.any([closing, calledOff, lost.signal])
    const state = { ...BEGUN }
    const saver = startSaving(context, leased, state, () => lost.abort())
    try {
      const storage = await open(leased.fileset, ALL_SECRETS)
      if (isCachingStorage(storage)) {
        await warmFileset({ storage, maxBytes: cache.maxBytes, state, explain, signal })
      } else Object.assign(state, { status: "failed", error: "Its storage can't be cached." })
    } catch (error) {
      if (!signal.aborted) Object.assign(state, { status: "failed", error: explain(error) })
    }
    await saver.end()
  }

  function explain(error: unknown): string {
    if (isAssayError(error)) return error.message
    log.warn({ err: error }, "Could not cache a file")
    return "An internal error occurred; the server's log has the details."
  }

  async function goThrough(closing: AbortSignal): Promise<void> {
    for (;;) {
      closing.throwIfAborted()
      const leased = await leaseWarmup(context)
      if (leased === undefined) return
      const { id } = leased.fileset
      const calledOff = new AbortController()
      const ended = warm(leased, closing, calledOff.signal)
      running.set(id, { callOff: () => calledOff.abort(), ended })
      await ended.finally(() => running.delete(id))
    }
  }

  function wake(): void {
    if (lanes === LANES) return
    lanes += 1
    background.start("warm the read cache", (signal) => goThrough(signal).finally(() => (lanes -= 1)))
  }

  // Looks for warm-ups that a stopped server left unfinished, and for those that other servers have no free lane for.
  background.start("look for filesets to cache", async (signal) => {
    for (;;) {
      wake()
      await setTimeout(WARMUP_LEASE_MS, undefined, { signal, ref: false })
    }
  })

  return {
    record: recordWarmup,
    wake,
    async callOff(filesetId) {
      const one = running.get(filesetId)
      one?.callOff()
      await one?.ended
    },
  }
}

const BEGUN: WarmupState = {
  status: "warming",
  files: null,
  cached_files: 0,
  bytes: null,
  cached_bytes: 0,
  error: null,
}

/** Saves the state of a warm-up every second, which renews its lease. `end` saves the final state, or ends the lease early. */
function startSaving(
  context: WarmupsContext,
  leased: LeasedWarmup,
  state: WarmupState,
  onLost: () => void,
): { readonly end: () => Promise<void> } {
  const ending = new AbortController()
  let lease: LeasedWarmup | undefined = leased

  async function save(isGivenBack: boolean): Promise<void> {
    if (lease === undefined) return
    lease = await saveWarmup(context, lease, state, isGivenBack)
    if (lease === undefined) onLost()
  }

  async function keepSaving(): Promise<void> {
    try {
      for (;;) {
        await setTimeout(SAVE_MS, undefined, { signal: ending.signal })
        if (state.status === "warming") await save(false)
      }
    } catch (error) {
      if (!ending.signal.aborted) throw error
    }
  }

  const saving = keepSaving()
  // If saving fails, `end` fails for the same reason and reports it.
  saving.catch(() => {})
  return {
    async end() {
      ending.abort()
      await saving.catch(() => {})
      await save(true)
    },
  }
}

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
async function warmFileset(options: WarmFilesetOptions): Promise<void> {
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
