import type { Filter } from "@assay/schemas"
import type { SqlDialect } from "../database/sql-dialect.ts"
import { compileComparison } from "./compile-comparison.ts"
import { allOf, anyOf, isNot, type Condition } from "./conditions.ts"

/**
 * The condition on a row of `filesets` that `filter` means. It can be null, which a database takes for false; so does
 * every negation in it, and the logic stays two-valued.
 */
export function compileFilter(filter: Filter, dialect: SqlDialect): Condition {
  if (filter.kind === "comparison") return compileComparison(filter, dialect)
  if (filter.kind === "not") return isNot(compileFilter(filter.filter, dialect))
  const parts = filter.filters.map((part) => compileFilter(part, dialect))
  return filter.kind === "and" ? allOf(parts) : anyOf(parts)
}
