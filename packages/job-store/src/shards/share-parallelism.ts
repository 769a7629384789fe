/** A worker and the requests that it may have in flight. */
export interface WorkerShare {
  readonly worker: string
  readonly share: number
}

/** A new share, and the share that is fair. */
export interface NewShare {
  readonly share: number
  readonly fair: number
}

/**
 * Returns the new share of one worker. Shares are as equal as possible. The sum over all workers never exceeds `parallelism`: a
 * worker gets only what the others do not have now, and they lower their shares with their own next beats.
 */
export function shareParallelism(parallelism: number, workers: readonly WorkerShare[], mine: string): NewShare {
  const names = workers.map(({ worker }) => worker).toSorted()
  const fair = Math.floor(parallelism / names.length) + (names.indexOf(mine) < parallelism % names.length ? 1 : 0)
  const others = workers.reduce((sum, { worker, share }) => (worker === mine ? sum : sum + share), 0)
  return { share: Math.max(0, Math.min(fair, parallelism - others)), fair }
}
