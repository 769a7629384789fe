import type { Guardrail } from "@assay/guardrails"

/** A guardrail in use: it stays open until this is disposed of. */
export interface GuardrailLease extends Disposable {
  readonly guardrail: Guardrail
}

/** Guardrails that stay open between requests, so that templates are compiled and connections made once. */
export interface OpenedGuardrails {
  /** The one that is open under `key`, or what `open` opens. */
  acquire(key: string, open: () => Promise<Guardrail>): Promise<GuardrailLease>
  /** Closes those that nobody uses, and the others after their last use. */
  close(): Promise<void>
}

interface Entry {
  readonly opening: Promise<Guardrail>
  users: number
  isKept: boolean
}

export interface OpenedGuardrailsOptions {
  /** Guardrails that are kept at most; those used last. */
  readonly most: number
  /** Told of a guardrail that could not be closed. */
  readonly onError: (error: unknown) => void
}

export function createOpenedGuardrails({ most, onError }: OpenedGuardrailsOptions): OpenedGuardrails {
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
    // Behind all others: the first ones go first.
    kept.delete(key)
    kept.set(key, entry)
    entry.users += 1
    for (const [oldest, unused] of kept) {
      if (kept.size <= most) break
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
        // What could not be opened is tried anew by the next request, and has nothing to be closed.
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
