import type { Context } from "../context.ts"
import { formatJson } from "../output/format-json.ts"
import { writeText } from "../output/write-text.ts"
import type { JsonOption } from "./action.ts"

/** Prints a result: as JSON where that is asked for, otherwise as `format` words it for people. */
export function print<T>(
  { stdout }: Context,
  { json }: JsonOption,
  result: T,
  format: (result: T) => string,
): Promise<void> {
  return writeText(stdout, json === true ? formatJson(result) : format(result))
}
