import { formatJson, type Layout } from "@assay/reports/terminal"
import type { Context } from "../context.ts"
import { writeStyled, writeText } from "../output/write-text.ts"
import type { JsonOption } from "./action.ts"

/** Prints a result: as JSON with `--json`, and otherwise as `format` returns it for the width of the terminal. */
export function print<T>(
  { stdout, isTerminal, columns, now, keepResult }: Context,
  { json }: JsonOption,
  result: T,
  format: (result: T, layout: Layout) => string,
): Promise<void> {
  if (json === true && keepResult !== undefined) return Promise.resolve(keepResult(result))
  if (json === true) return writeText(stdout, formatJson(result))
  return writeStyled(stdout, format(result, isTerminal.stdout ? { width: columns(), now: now() } : {}))
}

/** A page of a listing, as the server describes it. */
interface PageNumbers {
  readonly page: number
  readonly total_pages: number
  readonly total_results: number
}

/** Formats the line below a page that says how to see more. Empty after the last page. `noun` is a plural. */
export function formatPageEnd({ page, total_pages, total_results }: PageNumbers, noun: string): string {
  if (page >= total_pages) return ""
  return `page ${page} of ${total_pages}, ${total_results} ${noun}; --page ${page + 1} shows the next, --all shows all\n`
}
