import process from "node:process"
import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { runRecord } from "@assay/local"
import { formatTable, formatTime, type Layout, toneOf } from "@assay/reports/terminal"
import { DEFAULT_SERVER_URL } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { isProcessAlive } from "../../../is-process-alive.ts"
import { writeText } from "../../../output/write-text.ts"
import { print } from "../../print.ts"
import type { ListEvaluationsOptions } from "./list-evaluations.ts"
import { shownPath } from "../run-end.ts"

/** Runs that are shown without `--all` and `--limit`. */
const SHOWN = 50

type FoundRun = Awaited<ReturnType<typeof runRecord.list>>[number]

interface ShownRun extends Omit<FoundRun, "created_at"> {
  readonly created_at: string
}

/**
 * Lists the runs of this machine. Returns false, and prints a note only, if there are none and `--local` does not ask for them.
 */
export async function listLocalRuns(context: Context, options: ListEvaluationsOptions): Promise<boolean> {
  const { cwd, stderr } = context
  const { local = false, all = false, dataDir, status, limit = SHOWN } = options
  const parents = [resolve(cwd, dataDir), cwd, ...(await foldersOf(cwd))]
  const found = await runRecord.list(parents, { pid: process.pid, isProcessAlive })
  const url = DEFAULT_SERVER_URL
  if (found.length === 0 && !local) {
    await writeText(stderr, `this folder has no runs, so the server at ${url} is asked\n`)
    return false
  }
  const fitting = found.filter((run) => status === undefined || run.status === status)
  const data = fitting.slice(0, all ? fitting.length : limit).map((run) => shownRun(context, run))
  await print(context, options, { data }, ({ data: runs }, layout) => formatRuns(runs, layout))
  if (data.length < fitting.length)
    await writeText(stderr, `${fitting.length - data.length} older runs are not shown: add --all\n`)
  if (!local) await writeText(stderr, `jobs of a server: assay eval list --server ${url}\n`)
  return true
}

/** Returns the folders that can hold folders of results, such as ./results with one for each model. */
async function foldersOf(cwd: string): Promise<readonly string[]> {
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => join(cwd, name))
}

function shownRun(context: Context, { created_at, ...run }: FoundRun): ShownRun {
  return { ...run, folder: shownPath(context, run.folder), created_at: new Date(created_at).toISOString() }
}

function formatRuns(runs: readonly ShownRun[], layout: Layout): string {
  if (runs.length === 0) return "no runs\n"
  return formatTable(
    runs,
    [
      { heading: "RUN", cut: "nothing", value: ({ folder }) => folder },
      { heading: "STATUS", cut: "nothing", value: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { heading: "VERDICT", value: ({ verdict }) => verdict ?? "–", tone: ({ verdict }) => toneOf(verdict ?? "") },
      {
        heading: "DONE",
        value: ({ progress }) => (progress === null ? "–" : `${Math.floor(progress)} %`),
        align: "right",
      },
      { heading: "NAME", drop: 1, cut: "middle", value: ({ name }) => name ?? "–" },
      { heading: "CREATED", cut: "nothing", value: ({ created_at }) => formatTime(created_at, layout.now) },
    ],
    layout,
  )
}
