/** Removals and replacements that come first, in their order. */
const REPLACED: readonly (readonly [text: string, by: string])[] = [
  ["\n", ""],
  [String.raw`\!`, ""],
  [String.raw`\\`, "\\"],
  ["tfrac", "frac"],
  ["dfrac", "frac"],
  [String.raw`\left`, ""],
  [String.raw`\right`, ""],
  [String.raw`^{\circ}`, ""],
  [String.raw`^\circ`, ""],
  [String.raw`\$`, ""],
]
const UNIT = String.raw`\text{ `
const PERCENT = String.raw`\%`

/**
 * Writes an answer in LaTeX in a normal form: without blanks, units, degrees and percent signs, with `\frac{a}{b}` for each simple
 * fraction. Undefined for a text that the reference implementation fails for, which is then compared as it is.
 * Source: `strip_string` of `lm_eval/tasks/hendrycks_math/utils.py` (lm-evaluation-harness), after Hendrycks et al., arXiv 2103.03874.
 */
export function normalizeMath(answer: string): string | undefined {
  const replaced = REPLACED.reduce((text, [one, by]) => text.replaceAll(one, by), answer)
  const [amount = "", unit, ...more] = replaced.split(UNIT)
  if (more.length > 0) return undefined
  const bare = (unit === undefined ? replaced : amount)
    .replaceAll(PERCENT, "")
    .replaceAll(" .", " 0.")
    .replaceAll("{.", "{0.")
  if (bare === "") return bare
  const roots = bracedRoots(withoutName(bare.startsWith(".") ? `0${bare}` : bare))
  if (roots === undefined) return undefined
  const fractions = bracedFractions(roots.replaceAll(" ", ""))
  return fractions === undefined ? undefined : simpleFraction(fractions === "0.5" ? String.raw`\frac{1}{2}` : fractions)
}

/** Removes the name before the only equals sign, if it has at most two characters: `x=5`. */
function withoutName(text: string): string {
  const [name = "", value, ...more] = text.split("=")
  return value === undefined || more.length > 0 || Array.from(name).length > 2 ? text : value
}

/** Writes `\sqrt3` as `\sqrt{3}`. Undefined if a root is of nothing. */
function bracedRoots(text: string): string | undefined {
  const [start = "", ...parts] = text.split(String.raw`\sqrt`)
  if (parts.includes("")) return undefined
  return parts.reduce((done, part) => {
    const [first = "", ...rest] = part
    return `${done}\\sqrt${first === "{" ? part : `{${first}}${rest.join("")}`}`
  }, start)
}

/** Writes `\frac12` and `\frac1{72}` as `\frac{1}{2}` and `\frac{1}{72}`. Undefined if a fraction has nothing after it. */
function bracedFractions(text: string): string | undefined {
  const [start = "", ...parts] = text.split(String.raw`\frac`)
  let done = start
  for (const part of parts) {
    const [above, below, ...rest] = part
    if (above === undefined) return undefined
    if (above !== "{" && below === undefined) return text
    const written = above === "{" ? part : `{${above}}${below === "{" ? below : `{${below}}`}${rest.join("")}`
    done += `\\frac${written}`
  }
  return done
}

/** A number as Python's `int` reads it. */
const INTEGER = /^\s*[+-]?\p{Nd}+(?:_\p{Nd}+)*\s*$/u
const CANONICAL = /^(?:0|-?[1-9]\d*)\/(?:0|-?[1-9]\d*)$/
/** Python refuses to read longer numbers. */
const MAX_DIGITS = 4300

/** Writes `a/b` of two whole numbers as a fraction. Undefined if there is one slash, and the texts beside it are not whole numbers. */
function simpleFraction(text: string): string | undefined {
  const sides = text.split("/")
  if (sides.length !== 2) return text
  const areNumbers = sides.every((side) => INTEGER.test(side) && side.replaceAll(/\P{Nd}/gu, "").length <= MAX_DIGITS)
  if (!areNumbers) return undefined
  const [above, below] = sides
  return CANONICAL.test(text) ? `\\frac{${above}}{${below}}` : text
}
