import type { Guardrail } from "../guardrail.ts"

/** A guardrail in use. It stays open until the lease is disposed. */
export interface GuardrailLease extends Disposable {
  readonly guardrail: Guardrail
}

/** Guardrails that stay open between requests, so that templates are compiled and connections are opened once. */
export interface GuardrailPool {
  /** Returns the guardrail that is open under `key`. If there is none, calls `open`. */
  acquire(key: string, open: () => Promise<Guardrail>): Promise<GuardrailLease>
  /** Closes unused guardrails at once, and the others after their last use. */
  close(): Promise<void>
}

interface Entry {
  readonly opening: Promise<Guardrail>
  users: number
  isKept: boolean
}

export interface GuardrailPoolOptions {
  /** Maximum number of guardrails that stay open. The least recently used ones are closed first. */
  readonly max: number
  /** Called if a guardrail could not be closed. */
  readonly onError: (error: unknown) => void
}

export function createGuardrailPool({ max, onError }: GuardrailPoolOptions): GuardrailPool {
  const kept = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()

  function closeUnused(entry: Entry): void {
    if (entry.isKept || entry.users > 0) return
    const closed = entry.opening
      .then((guardrail) => guardrail.close())
      .catch(onError)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  function drop(key: string, entry: Entry): void {
    if (kept.get(key) === entry) kept.delete(key)
    entry.isKept = false
    closeUnused(entry)
  }

  function enter(key: string, open: () => Promise<Guardrail>): Entry {
    const known = kept.get(key)
    const entry = known ?? { opening: open(), users: 0, isKept: true }
    // Moves the entry to the end: the first entries are closed first.
    kept.delete(key)
    kept.set(key, entry)
    entry.users += 1
    for (const [oldest, unused] of kept) {
      if (kept.size <= max) break
      drop(oldest, unused)
    }
    return entry
  }

  return {
    async acquire(key, open) {
      const entry = enter(key, open)
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        entry.users -= 1
        closeUnused(entry)
      }
      try {
        return { guardrail: await entry.opening, [Symbol.dispose]: release }
      } catch (error) {
        // The next request tries to open it again. There is nothing to close.
        if (kept.get(key) === entry) kept.delete(key)
        throw error
      }
    },

    async close() {
      for (const [key, entry] of kept) drop(key, entry)
      await Promise.all(closing)
    },
  }
}
