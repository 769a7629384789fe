import { AssayError } from "@assay/schemas/errors"
import { isTemplate, renderText } from "./nunjucks.ts"
import type { ImportedTest } from "./read-tests.ts"

type Vars = Readonly<Record<string, unknown>>

/** Combinations of one test. */
const MAX_COMBINATIONS = 10_000

/** Returns the combinations of the variables of a test: each text of a list is a row. Templates in variables are rendered. @throws `bad_document` */
export function combineVars({ vars, isWhole, location }: ImportedTest): readonly Vars[] {
  let combined: readonly Vars[] = [{}]
  for (const [key, value] of Object.entries(vars)) {
    const isMany = !isWhole && Array.isArray(value) && typeof value[0] === "string"
    const values: readonly unknown[] = isMany ? (value as readonly unknown[]) : [value]
    combined = combined.flatMap((known) => values.map((one) => ({ ...known, [key]: one })))
    if (combined.length > MAX_COMBINATIONS) {
      throw new AssayError(
        "bad_document",
        `${location}: The variables have more than ${MAX_COMBINATIONS} combinations.`,
      )
    }
  }
  return combined.map((one) => rendered(one, location))
}

function rendered(vars: Vars, location: string): Vars {
  const entries = Object.entries(vars).map(([key, value]) => {
    if (typeof value !== "string" || !isTemplate(value)) return [key, value] as const
    try {
      return [key, renderText(value, vars)] as const
    } catch (error) {
      throw new AssayError(
        "bad_document",
        `${location}: The variable '${key}' has a template that can't be rendered.`,
        {
          cause: error,
        },
      )
    }
  })
  return Object.fromEntries(entries)
}
