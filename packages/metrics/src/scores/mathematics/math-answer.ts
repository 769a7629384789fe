import { normalizeMath } from "./normalize-math.ts"

/**
 * Returns whether the final answer of a text is the expected one. The final answer is in the last `\boxed{…}` or `\fbox{…}`; without one,
 * it is the text between the first and the last `$`, and without those the whole text. `expected` is an answer, or a solution
 * with a box. Both are compared after `normalizeMath`, or as they are if one of them can't be normalised.
 * Source: Hendrycks et al., arXiv 2103.03874, as `lm_eval/tasks/hendrycks_math/utils.py` of lm-evaluation-harness compares them. A box in
 * the answer counts as in the later tasks of the harness.
 */
export function isMathAnswer(candidate: string, expected: string): boolean {
  const own = lastBox(candidate) ?? betweenDollars(candidate)
  const target = lastBox(expected) ?? expected
  const [left, right] = [normalizeMath(own), normalizeMath(target)]
  return left === undefined || right === undefined ? own === target : left === right
}

const BOX = String.raw`\boxed`
const FRAME = String.raw`\fbox`

/** Returns the content of the last box of a text. Undefined: it has none, or the last one is not closed. */
export function lastBox(text: string): string | undefined {
  // `\boxed 5` has no braces, and ends at the next dollar sign.
  const bare = text.lastIndexOf(`${BOX} `)
  if (bare >= 0) return text.slice(bare + BOX.length + 1).split("$", 1)[0]
  const boxed = text.lastIndexOf(BOX)
  const command = boxed < 0 ? FRAME : BOX
  const start = boxed < 0 ? text.lastIndexOf(FRAME) : boxed
  if (start < 0 || text.charAt(start + command.length) !== "{") return undefined
  const end = closingBrace(text, start + command.length)
  return end < 0 ? undefined : text.slice(start + command.length + 1, end)
}

/** Returns the position of the brace that closes the one at `start`; −1 if there is none. */
function closingBrace(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text.charAt(at) === "{") depth++
    if (text.charAt(at) === "}" && --depth === 0) return at
  }
  return -1
}

function betweenDollars(text: string): string {
  const [first, last] = [text.indexOf("$"), text.lastIndexOf("$")]
  return first < last ? text.slice(first + 1, last) : text
}
