import { relative } from "node:path"
import type { ImportNote } from "@assay/imports"
import { formatCount, formatTable, type Layout } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** The files that an import wrote. */
export interface ImportSummary {
  readonly files: readonly string[]
  /** Absent: the rows are where they were. */
  readonly rows?: number
  readonly notes: readonly ImportNote[]
  /** Command lines for what comes next. */
  readonly next: readonly string[]
}

/** Prints what became of each part of a source, and the commands that use the result. */
export async function printImport(context: Context, options: JsonOption, summary: ImportSummary): Promise<void> {
  const files = summary.files.map((path) => relative(context.cwd, path) || path)
  await print(context, options, { ...summary, files }, (shown, layout) => formatImport(shown, layout))
}

function formatImport({ files, rows, notes, next }: ImportSummary, layout: Layout): string {
  const table =
    notes.length === 0
      ? ""
      : `${formatTable(
          notes,
          [
            { heading: "LOCATION", value: ({ location }) => location },
            { heading: "PART", value: ({ part }) => part },
            { heading: "COUNT", value: ({ count }) => String(count), align: "right" },
            {
              heading: "OUTCOME",
              value: ({ outcome }) => outcome,
              tone: ({ outcome }) => (outcome === "mapped" ? "good" : outcome === "changed" ? "open" : "bad"),
            },
            { heading: "AS, OR WHY", value: ({ detail }) => detail },
          ],
          layout,
        )}\n`
  const leftOut = notes.filter(({ outcome }) => outcome === "left out").reduce((sum, { count }) => sum + count, 0)
  const rest = leftOut === 0 ? "" : `, ${formatCount(leftOut, "part")} left out`
  return `${table}wrote ${files.join(", ")}${rows === undefined ? "" : `: ${formatCount(rows, "row")}`}${rest}\n${next.map((line) => `next: ${line}\n`).join("")}`
}
