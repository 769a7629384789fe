/** Functions that are called when signals abort. */
export interface AbortFollowers {
  /** Calls `leave` when the signal aborts. Returns a function that ends it. */
  follow(signal: AbortSignal, leave: () => void): () => void
}

interface Followers {
  readonly leaves: Set<() => void>
  readonly onAbort: () => void
}

/**
 * Creates followers that share one listener for each signal. Node compares a new listener with every listener that the signal has, and a job
 * has hundreds of requests in flight with the same signal.
 */
export function createAbortFollowers(): AbortFollowers {
  const known = new WeakMap<AbortSignal, Followers>()
  return {
    follow(signal, leave) {
      const followers = known.get(signal) ?? createFollowers()
      known.set(signal, followers)
      const { leaves, onAbort } = followers
      if (leaves.size === 0) signal.addEventListener("abort", onAbort)
      leaves.add(leave)
      return () => {
        leaves.delete(leave)
        // A signal can live much longer than its requests.
        if (leaves.size === 0) signal.removeEventListener("abort", onAbort)
      }
    },
  }
}

function createFollowers(): Followers {
  const leaves = new Set<() => void>()
  return {
    leaves,
    onAbort() {
      for (const leave of leaves) leave()
    },
  }
}
