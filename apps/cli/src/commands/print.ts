import type { Context } from "../context.ts"
import { formatJson } from "../output/format-json.ts"
import type { Layout } from "../output/format-table.ts"
import { writeStyled, writeText } from "../output/write-text.ts"
import type { JsonOption } from "./action.ts"

/** Prints a result: as JSON with `--json`, and otherwise as `format` returns it for the width of the terminal. */
export function print<T>(
  { stdout, isTerminal, columns }: Context,
  { json }: JsonOption,
  result: T,
  format: (result: T, layout: Layout) => string,
): Promise<void> {
  if (json === true) return writeText(stdout, formatJson(result))
  return writeStyled(stdout, format(result, isTerminal.stdout ? { width: columns() } : {}))
}
