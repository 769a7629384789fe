import { cutRuns, resultsFolder } from "@assay/local"
import { createProgressReporter, formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { JsonOption } from "../../action.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { checkRecording } from "../recording/recorded-answers.ts"
import { runWord, shownRun } from "../run-end.ts"
import { cutFile, type CutFileOptions } from "./cut-file.ts"
import { openRun } from "./open-run.ts"
import { type FolderOptions, readEvaluation } from "../file/read-evaluation.ts"

/** Options of `assay eval cut`. */
export interface CutOptions extends JsonOption, Omit<CutFileOptions, "dataDir">, FolderOptions {
  readonly shards: number
  readonly out: string
  readonly atOnce?: number
  readonly keyHost?: readonly string[]
  readonly force?: boolean
}

/** Runs `assay eval cut <file>`: checks a job, and writes the plan of its shards. */
export async function cutEvaluation(given: Context, name: string, options: CutOptions): Promise<void> {
  const context = withKeyHosts(given, options.keyHost)
  const [file, ...others] = await readEvaluation(context, name, options)
  if (others.length > 0) {
    const message = `${file.name} has ${others.length + 1} jobs, one for each model and prompt, and a run has one: name one model and one prompt.`
    throw new AssayError("bad_usage", message)
  }
  const reporter = createProgressReporter(context, options)
  const store = await openRun(context, options.out)
  checkRecording(options, false)
  checkFolder(context, options.recording)
  const { shards, atOnce, force = false } = options
  if (store.folder !== undefined) await resultsFolder.check(store.folder, { overwrite: force })
  const plan = await cutFile(context, store, file, {
    ...options,
    dataDir: DATA_DIR,
    shards,
    atOnce,
    reporter,
    showsEstimate: true,
  })
  const rows = cutRuns.countRows(plan)
  const run = shownRun(context, store.location)
  const cut = { run, id: plan.id, shards: plan.shards.length, at_once: plan.at_once, rows }
  const word = runWord(context, store)
  await print(context, options, cut, () => formatCut({ ...cut, word }))
}

/** The data folder whose answers of conversations are read. */
const DATA_DIR = "./.assay-eval"

/** @throws `bad_usage` for a fileset: nobody would copy its answers */
function checkFolder(context: Context, recording: string | undefined): void {
  if (recording === undefined || !recording.includes("/") || isLocal(context, recording)) return
  const message = `--recording '${printable(recording)}' is a fileset, and a run that is cut by hand needs a folder: \`assay pull\` copies the fileset into one, and \`assay push\` copies it back.`
  throw new AssayError("bad_usage", message)
}

interface Cut {
  readonly run: string
  /** The run as a word of a command. */
  readonly word: string
  readonly shards: number
  readonly at_once: number
  readonly rows: number
}

function formatCut({ run, word, shards, at_once, rows }: Cut): string {
  const shown = printable(run)
  const last = shards === 1 ? "" : ` to ${shards - 1}`
  return (
    `${formatCount(rows, "row")} in ${formatCount(shards, "shard")}, at most ${at_once} at once, in ${shown}\n\n` +
    `assay eval shard ${word} --index 0${last === "" ? "" : `   (0${last}, on any machine that reaches the run)`}\n` +
    `assay eval merge ${word}\n`
  )
}
