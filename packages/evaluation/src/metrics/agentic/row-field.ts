import { AssayError } from "@assay/schemas"
import type { ScoreInput } from "../../plan/task-plan.ts"

/** The field of a row under the first of `names` that it has. @throws `rows_invalid` that lists what the row has */
export function rowField({ item }: Pick<ScoreInput, "item">, ...names: readonly [string, ...string[]]): unknown {
  const found = names.find((name) => item[name] !== undefined && item[name] !== null)
  if (found !== undefined) return item[found]
  const has = Object.keys(item).slice(0, 12).join("', '")
  throw new AssayError("rows_invalid", `The row has no '${names.join("' or '")}'; it has '${has}'.`)
}
