import type { Condition } from "@assay/schemas"

const MAX_EVIDENCE = 5

/** One condition for each code: what was found of the same code elsewhere is told with the first. */
export function joinConditions(conditions: readonly Condition[]): readonly Condition[] {
  return [...Map.groupBy(conditions, ({ code }) => code).values()].map(joinEqual)
}

function joinEqual([first, ...others]: readonly Condition[]): Condition {
  if (first === undefined) throw new TypeError("a group is never empty")
  if (others.length === 0) return first
  const all = [first, ...others]
  // In turn, so that each of them is shown.
  const most = Math.max(...all.map(({ evidence }) => evidence.length))
  const lines = Array.from({ length: most }, (_, at) => all.map(({ evidence }) => evidence[at])).flat()
  return {
    ...first,
    message: [...new Set(all.map(({ message }) => message))].join(" "),
    evidence: [...new Set(lines.filter((line) => line !== undefined))].slice(0, MAX_EVIDENCE),
    remedy: all.map(({ remedy }) => remedy).reduce((a, b) => (a.includes(b) ? a : b.includes(a) ? b : `${a} ${b}`)),
    count: all.reduce((sum, { count }) => sum + count, 0),
    first_seen: all.map(({ first_seen }) => first_seen).toSorted()[0] ?? first.first_seen,
    last_seen:
      all
        .map(({ last_seen }) => last_seen)
        .toSorted()
        .at(-1) ?? first.last_seen,
  }
}
