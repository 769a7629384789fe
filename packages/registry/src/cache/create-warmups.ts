import { setTimeout } from "node:timers/promises"
import { isAssayError } from "@assay/schemas"
import { isCachingStorage, type ReadCache } from "@assay/storage"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { RegistryContext } from "../registry-context.ts"
import { warmFileset } from "./warm-fileset.ts"
import { WARMUP_LEASE_MS, leaseWarmup, saveWarmup, type LeasedWarmup, type WarmupState } from "./warmup-rows.ts"

/**
 * Brings filesets into the cache in the background. Which ones they are stands in the database, so that a restart goes on
 * with them; servers that share it share the work.
 */
export interface Warmups {
  /** There is work. */
  wake(): void
  /** Ends the warm-up of a fileset, if this server is at it. */
  callOff(filesetId: string): Promise<void>
}

/** Filesets at a time. */
const LANES = 2
const SAVE_MS = 1000

type WarmupsContext = Pick<RegistryContext, "database" | "now" | "background" | "log">

/** @param open opens a fileset on behalf of whoever asked for the warm-up, and had the right to its secrets then */
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
      const storage = await open(leased.fileset, EVERYWHERE)
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
    return "That is a fault of ours; the server's log has the rest."
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

  // What a server that has gone left half-done, and what another one is asked for while its lanes are full.
  background.start("look for filesets to cache", async (signal) => {
    for (;;) {
      wake()
      await setTimeout(WARMUP_LEASE_MS, undefined, { signal, ref: false })
    }
  })

  return {
    wake,
    async callOff(filesetId) {
      const one = running.get(filesetId)
      one?.callOff()
      await one?.ended
    },
  }
}

const EVERYWHERE = () => true

const BEGUN: WarmupState = {
  status: "warming",
  files: null,
  cached_files: 0,
  bytes: null,
  cached_bytes: 0,
  error: null,
}

/** Saves a state every second, and whenever its lease needs it; `end` saves what it came to, or gives the lease back. */
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
  // What has kept it from saving keeps `end` from it too, which tells.
  saving.catch(() => {})
  return {
    async end() {
      ending.abort()
      await saving.catch(() => {})
      await save(true)
    },
  }
}
