/**
 * Counts the n-grams of 1, 2, … `maxOrder` tokens that a candidate shares with its references. Each n-gram counts at most as
 * often as it occurs in any one reference.
 *
 * The n-grams of the references get numbers: a longer one is identified by the number of its tokens except the last, and the
 * last token. So only single tokens are ever compared as text.
 */
export function ngramMatches(
  candidate: readonly string[],
  references: readonly (readonly string[])[],
  maxOrder: number,
): readonly number[] {
  const known = new Map<string, number>()
  const expectedTokens = references.map((tokens) => tokens.map((token) => numberOfKey(known, token)))
  const ownTokens = candidate.map((token) => known.get(token) ?? -1)
  const matches = [countMatches(ownTokens, expectedTokens)]
  let own: Runs = ownTokens
  let expected: readonly Runs[] = expectedTokens
  for (let order = 1; order < maxOrder; order += 1) {
    if (matches[order - 1] === 0) {
      matches.push(0)
      continue
    }
    const runs = new Map<number, number>()
    const name = (key: number): number => numberOfKey(runs, key)
    expected = expected.map((list, at) =>
      lengthen(list, expectedTokens[at] ?? [], { order, tokenCount: known.size, find: name }),
    )
    own = lengthen(own, ownTokens, { order, tokenCount: known.size, find: (key) => runs.get(key) ?? -1 })
    matches.push(countMatches(own, expected))
  }
  return matches
}

/** The number of the n-gram that begins at each token; -1 for one that no reference has. */
type Runs = readonly number[]

function numberOfKey<Key>(known: Map<Key, number>, key: Key): number {
  const found = known.get(key)
  if (found !== undefined) return found
  known.set(key, known.size)
  return known.size - 1
}

interface RunNumbers {
  /** Tokens of the present n-grams. */
  readonly order: number
  /** Number of different tokens. */
  readonly tokenCount: number
  /** Returns the number of a longer n-gram. */
  readonly find: (key: number) => number
}

/** Returns the n-grams that are one token longer. */
function lengthen(runs: Runs, tokens: Runs, { order, tokenCount, find }: RunNumbers): Runs {
  const longer: number[] = []
  for (let start = 0; start + order < tokens.length; start += 1) {
    const run = runs[start] ?? -1
    const token = tokens[start + order] ?? -1
    longer.push(run < 0 || token < 0 ? -1 : find(run * tokenCount + token))
  }
  return longer
}

function countMatches(own: Runs, expected: readonly Runs[]): number {
  const left = expected.length === 1 ? countRuns(expected[0] ?? []) : highestCounts(expected.map(countRuns))
  let matches = 0
  for (const run of own) {
    const count = left[run] ?? 0
    if (count === 0) continue
    matches += 1
    left[run] = count - 1
  }
  return matches
}

function countRuns(runs: Runs): number[] {
  const counts: number[] = []
  for (const run of runs) {
    while (counts.length <= run) counts.push(0)
    counts[run] = (counts[run] ?? 0) + 1
  }
  return counts
}

function highestCounts(all: readonly (readonly number[])[]): number[] {
  const highest: number[] = []
  for (const counts of all) {
    for (const [run, count] of counts.entries()) highest[run] = Math.max(highest[run] ?? 0, count)
  }
  return highest
}
