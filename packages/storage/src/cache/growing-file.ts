import type { Spool } from "./spool.ts"

/** The bytes of a file that are here already, for any number of readers; none of them can hold up the one who writes. */
export interface GrowingFile {
  /** How many bytes can be read, from the first on. */
  readonly readable: number
  grow(readable: number): void
  /** Nothing more comes: readers get `error` when they have read what is here. */
  fail(error: unknown): void
  /** Answers when byte `at` can be read. @throws what was told to `fail`, and the reason of `signal` */
  until(at: number, signal: AbortSignal | undefined): Promise<void>
  read(start: number, into: Uint8Array): Promise<void>
  /** Keeps the bytes readable until what it answers with is called. Undefined once nobody has held them any more. */
  hold(): (() => Promise<void>) | undefined
}

export function createGrowingFile(spool: Spool): GrowingFile {
  const waiting = new Set<() => void>()
  let readable = 0
  let failure: { readonly error: unknown } | undefined
  let holds = 0
  let isOver = false

  const wakeAll = () => {
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  /** Answers at the next change, and when `signal` is aborted. */
  function change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake)
        signal?.removeEventListener("abort", wake)
        resolve()
      }
      waiting.add(wake)
      signal?.addEventListener("abort", wake, { once: true })
    })
  }

  return {
    get readable() {
      return readable
    },
    grow(size) {
      readable = size
      wakeAll()
    },
    fail(error) {
      failure = { error }
      wakeAll()
    },
    async until(at, signal) {
      for (;;) {
        signal?.throwIfAborted()
        if (at < readable) return
        if (failure !== undefined) throw failure.error
        await change(signal)
      }
    },
    read: (start, into) => spool.read(start, into),
    hold() {
      if (isOver) return undefined
      holds += 1
      let isHeld = true
      return async () => {
        if (!isHeld) return
        isHeld = false
        holds -= 1
        isOver = holds === 0
        if (isOver) await spool.close()
      }
    },
  }
}
