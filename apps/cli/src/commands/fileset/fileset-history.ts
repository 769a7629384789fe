import { formatDiff, formatHistory, formatRestored } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseFilesetAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"

export interface HistoryOptions extends JsonOption {
  readonly limit?: number
  readonly after?: string
  readonly purge?: boolean
  readonly yes?: boolean
}

/** Runs `assay fileset history <fileset> [path]`. */
export async function showHistory(
  context: Context,
  name: string,
  path: string | undefined,
  options: HistoryOptions,
): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const { history } = openClient(context)
  const { signal } = context
  if (options.purge === true) {
    if (path !== undefined) throw new AssayError("bad_usage", "--purge removes all kept bytes; leave out the path.")
    const what = printable(`${workspace}/${fileset}`)
    await confirm(context, `Remove all kept bytes of ${what}? Its former versions can't be restored then.`, options.yes)
    const purged = await history.purge(workspace, fileset, { signal })
    await print(context, options, purged, ({ files, bytes }) => `removed ${files} former versions, ${bytes} bytes\n`)
    return
  }
  const query = given({ path, limit: options.limit, page_token: options.after })
  const found = await history.list(workspace, fileset, query, { signal })
  const next = found.next_page_token
  const end = next === undefined ? "" : `--after ${next} shows older ones\n`
  await print(context, options, found, (page, layout) => formatHistory(page, layout) + end)
}

export interface DiffOptions extends JsonOption {
  readonly path?: string
  readonly limit?: number
  readonly rows?: boolean
  readonly key?: string
}

/** Runs `assay fileset diff <fileset> <from> [to]`. */
export async function diffRevisions(
  context: Context,
  ...[name, from, to, options]: readonly [string, string, string | undefined, DiffOptions]
): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const { path, limit, key } = options
  if (key !== undefined && options.rows !== true)
    throw new AssayError("bad_usage", "--key names the rows that are compared: add --rows.")
  const query = { from, ...given({ to, path, limit }) }
  const found = await openClient(context).history.diff(workspace, fileset, query, { signal: context.signal })
  if (options.rows !== true) return print(context, options, found, formatDiff)
  const { diffRows } = await import("./diff-rows.ts")
  await diffRows(context, { workspace, fileset, found, options })
}

export interface RestoreOptions extends JsonOption {
  readonly dryRun?: boolean
}

/** Runs `assay fileset restore <fileset> <revision> [path]`. */
export async function restoreRevision(
  context: Context,
  ...[name, revision, path, options]: readonly [string, string, string | undefined, RestoreOptions]
): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const isDryRun = options.dryRun === true
  const body = { revision, ...given({ path, dry_run: isDryRun ? true : undefined }) }
  const done = await openClient(context).history.restore(workspace, fileset, body, { signal: context.signal })
  await print(context, options, done, (restored) => formatRestored(restored, isDryRun))
}
