import { decideTogether } from "../significance/holm-correction.ts"

export interface TestedPair {
  readonly a: string
  readonly b: string
  /** Null if there was nothing to test. */
  readonly p: number | null
  /** The level at which the test was decided, or at which it is open. */
  readonly level: number
  readonly isDifferent: boolean
}

interface GroupTestedOptions {
  /** The probability that any two models are told apart that do not differ. */
  readonly alpha: number
  /** Returns whether two positions are known to differ without a test. Default: none are. */
  readonly areKnown?: (a: number, b: number) => boolean
}

/**
 * Groups models in their order by the tests of each two of them, with Holm's levels. Returns the letters of each model: one for each longest run of models of which
 * no two differ. So two models that share a letter are never told apart.
 * @param test returns the probability of the difference of two positions, the better one first
 */
export function groupTested(
  ranked: readonly { readonly name: string }[],
  test: (a: number, b: number) => number | null,
  { alpha, areKnown = () => false }: GroupTestedOptions,
): { readonly letters: readonly string[]; readonly pairs: readonly TestedPair[] } {
  const compared = ranked.flatMap((_one, a) => ranked.slice(a + 1).map((_other, offset) => ({ a, b: a + 1 + offset })))
  const found = compared.map(({ a, b }) => test(a, b))
  const decided = decideTogether(
    found.map((p) => (level) => (p !== null && p <= level ? "FAIL" : "INCONCLUSIVE")),
    alpha,
  )
  const pairs = compared.map(({ a, b }, at) => ({
    a: ranked[a]?.name ?? "",
    b: ranked[b]?.name ?? "",
    p: found[at] ?? null,
    level: decided[at]?.level ?? alpha,
    isDifferent: decided[at]?.verdict === "FAIL" || areKnown(a, b),
  }))
  const apart = new Set(compared.flatMap(({ a, b }, at) => (pairs[at]?.isDifferent === true ? [`${a} ${b}`] : [])))
  return { letters: lettersOf(ranked.length, (a, b) => apart.has(`${a} ${b}`)), pairs }
}

const FIRST_LETTER = 97

/** Returns the letters of each position: one for each longest run of positions of which no two are apart. */
function lettersOf(count: number, areApart: (a: number, b: number) => boolean): readonly string[] {
  const letters = Array.from({ length: count }, () => "")
  let runs = 0
  let lastEnd = 0
  for (let start = 0; start < count; start++) {
    let end = start + 1
    while (end < count && !isApartFromAny(end, start, areApart)) end++
    if (end <= lastEnd) continue
    const letter = String.fromCodePoint(FIRST_LETTER + runs++)
    for (let at = start; at < end; at++) letters[at] += letter
    lastEnd = end
  }
  return letters
}

function isApartFromAny(position: number, start: number, areApart: (a: number, b: number) => boolean): boolean {
  for (let at = start; at < position; at++) if (areApart(at, position)) return true
  return false
}
