import { readJson } from "../formats/json/read-json.ts"
import type { RowChecker, RowFault } from "../schemas/row-checker.ts"

/** Checks values, each given as JSON text; null stands for a valid one. */
export function checkValues(
  texts: readonly string[],
  checker: RowChecker | undefined,
): readonly (readonly RowFault[] | null)[] {
  return texts.map((text) => {
    const { row, fault, hasExact } = { hasExact: false, ...readJson(text, "value") }
    if (fault !== null) return [{ pointer: "", message: fault }]
    return checker === undefined || checker.isValid(row, hasExact) ? null : checker.listFaults(row, hasExact)
  })
}
