const FIRST_MS = 500
const LONGEST_MS = 8000

/** Milliseconds before repetition number `attempt` (from 1): doubled each time, the upper half of it by chance. */
export function retryWait(attempt: number, random: () => number, askedMs: number | undefined): number {
  const doubled = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
  if (askedMs === undefined) return doubled / 2 + (random() * doubled) / 2
  // Never sooner than asked; a little later, so that not everybody comes back at once.
  return askedMs + random() * (FIRST_MS / 2)
}
