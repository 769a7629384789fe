/** The value that more than half of the votes are for; null where there is none. */
export function majority<Vote extends string | number | boolean>(votes: readonly Vote[]): Vote | null {
  const counts = new Map<Vote, number>()
  for (const vote of votes) {
    const count = (counts.get(vote) ?? 0) + 1
    if (2 * count > votes.length) return vote
    counts.set(vote, count)
  }
  return null
}
