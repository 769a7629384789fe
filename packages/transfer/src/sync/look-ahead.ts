export interface LookAheadListener<T> {
  onItem(item: T): void
  /** Called when all items were read. */
  onEnd(): void
}

/**
 * Reads at most `limit` items ahead of the consumers, so that the total is known early and transfers do not wait for a slow
 * listing.
 */
export async function* lookAhead<T>(
  items: AsyncIterable<T>,
  limit: number,
  listener: LookAheadListener<T>,
): AsyncGenerator<T, void, undefined> {
  const waiting: T[] = []
  const changed = createSignalling()
  const state: State = { isDone: false, isLeft: false }

  async function read(): Promise<void> {
    try {
      for await (const item of items) {
        listener.onItem(item)
        waiting.push(item)
        changed.notify()
        while (waiting.length >= limit && !state.isLeft) await changed.wait()
        if (state.isLeft) return
      }
      listener.onEnd()
    } catch (error) {
      state.failure = { error }
    } finally {
      state.isDone = true
      changed.notify()
    }
  }

  const reading = read()
  try {
    for (;;) {
      const batch = waiting.splice(0)
      changed.notify()
      yield* batch
      if (waiting.length > 0) continue
      if (state.failure !== undefined) throw state.failure.error
      if (state.isDone) return
      await changed.wait()
    }
  } finally {
    state.isLeft = true
    changed.notify()
    await reading
  }
}

interface State {
  /** All items were read. */
  isDone: boolean
  /** The consumer has stopped. */
  isLeft: boolean
  failure?: { readonly error: unknown }
}

interface Signalling {
  notify(): void
  /** Waits for the next `notify`. */
  wait(): Promise<void>
}

function createSignalling(): Signalling {
  let { promise, resolve } = Promise.withResolvers<void>()
  return {
    notify: () => {
      resolve()
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
    wait: () => promise,
  }
}
