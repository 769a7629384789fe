import { formatRowDiffs } from "@assay/reports/terminal"
import { type FilesetDiff, printable, type RowDiff } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { sayText } from "../../output/write-text.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import type { DiffOptions } from "./fileset-history.ts"

interface ComparedFileset {
  readonly workspace: string
  readonly fileset: string
  /** The files that differ. */
  readonly found: FilesetDiff
  readonly options: DiffOptions
}

/** The names of files with rows. */
const HAS_ROWS = /\.(?:(?:jsonl|ndjson|json|csv|tsv)(?:\.(?:gz|zst))?|parquet)$/i
const MAX_ROWS = 1000

/** Compares the rows of each file that differs, one file after another, and prints what differs. */
export async function diffRows(context: Context, { workspace, fileset, found, options }: ComparedFileset) {
  const { history } = openClient(context)
  const { from, to, data } = found
  const { key, limit = 100 } = options
  const files: RowDiff[] = []
  const others = data.filter(({ path }) => !HAS_ROWS.test(path)).map(({ path }) => path)
  for (const { path } of data.filter(({ path: name }) => HAS_ROWS.test(name))) {
    const query = { from, path, limit: Math.min(limit, MAX_ROWS), ...given({ to: to === "now" ? undefined : to, key }) }
    files.push(await history.diffRows(workspace, fileset, query, { signal: context.signal }))
  }
  const left_out = found.added + found.removed + found.changed - data.length
  await print(context, options, { from, to, files, without_rows: others, left_out }, (compared, layout) =>
    formatRowDiffs(compared.files, layout),
  )
  if (options.json === true) return
  if (others.length > 0) sayText(context.stderr, `files without rows: ${printable(others.join(", "))}\n`)
  if (left_out > 0)
    sayText(
      context.stderr,
      `${left_out} more ${left_out === 1 ? "file differs" : "files differ"}: raise --limit, or give --path\n`,
    )
}
