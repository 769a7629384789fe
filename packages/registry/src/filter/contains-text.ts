import { sql } from "kysely"
import type { SqlDialect } from "../database/sql-dialect.ts"
import type { Condition } from "./conditions.ts"

/** Holds where `column` contains `part`, whatever the case of ASCII letters. */
export function containsText(dialect: SqlDialect, column: string, part: string): Condition {
  const folded = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return dialect.contains(dialect.lower(sql.ref(column)), folded)
}
