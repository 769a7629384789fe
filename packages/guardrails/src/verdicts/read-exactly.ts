import type { JudgeFamily, Verdict } from "@assay/schemas"
import type { RailDirection } from "../verdict-reading.ts"
import { categoryOf } from "./categories.ts"
import { familiesBeginningWith } from "./detect-family.ts"
import { areCategories } from "./explained/is-field.ts"
import { FAMILY_FORMS } from "./families/all-families.ts"
import { categoriesObject } from "./objections/find-objection.ts"

export interface ExactVerdict {
  readonly verdict: Verdict
  readonly family: JudgeFamily
}

/** Maximum number of characters. The canonical answers of all families are shorter. */
const LONGEST = 2000

/**
 * Reads an answer in the exact canonical form of its family, which well-behaved judges nearly always send. Returns undefined for
 * any other answer. The lenient way finds the same verdict in it.
 */
export function readExactly(
  text: string,
  family: JudgeFamily | undefined,
  direction: RailDirection,
): ExactVerdict | undefined {
  if (text.length > LONGEST) return undefined
  if (family !== undefined) return readAs(text, family, direction)
  for (const candidate of familiesBeginningWith(text.charAt(0))) {
    const exact = readAs(text, candidate, direction)
    if (exact !== undefined) return exact
  }
  return undefined
}

function readAs(text: string, family: JudgeFamily, direction: RailDirection): ExactVerdict | undefined {
  const exact = FAMILY_FORMS[family].readExact(text, direction)
  if (exact === undefined) return undefined
  const { user, response, categories } = exact
  const saysSafe = user === "safe" || response === "safe"
  if (saysSafe && categories.length > 0 && (categoriesObject(categories) || !areCategories(categories)))
    return undefined
  const verdict: Verdict = {
    user_safety: user,
    response_safety: response,
    categories: categories.length === 0 ? [] : [...new Set(categories)].map((raw) => categoryOf(raw, family)),
    reading: "exact",
    raw: text,
  }
  return { verdict, family }
}
