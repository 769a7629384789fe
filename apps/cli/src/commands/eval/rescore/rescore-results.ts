import { basename, join, resolve } from "node:path"
import { readPrices } from "@assay/evaluation"
import { downloadResultFiles, jobGates, jobOfFile, localRuns, type OpenedEvaluationFile } from "@assay/local"
import {
  createProgressReporter,
  formatScore,
  formatTable,
  type Layout,
  type ProgressReporter,
} from "@assay/reports/terminal"
import { resultScores, type scoreGates } from "@assay/results"
import { type EvaluationResult, printable, readGateStates } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { withKeyHosts } from "../../guard/inference-key.ts"
import { print } from "../../print.ts"
import { withTelemetry } from "../../with-telemetry.ts"
import { checkServedJob } from "../check-served-job.ts"
import { pricesFileOf } from "../prices-file.ts"
import { exitCodeOfRun, shownPath } from "../run-end.ts"
import { localPorts } from "../run-here.ts"
import { type FolderOptions, readEvaluation } from "../file/read-evaluation.ts"

export interface RescoreCommandOptions extends JsonOption, FolderOptions {
  readonly with: string
  /** Absent: a server computes the scores. */
  readonly out?: string
  readonly skipChecks?: boolean
  readonly force?: boolean
  readonly keyHost?: readonly string[]
}

/** A job whose outputs are scored again. */
interface Rescored {
  /** The job or the folder as the user wrote it. */
  readonly source: string
  readonly rescored_from: string
  readonly id: string
  readonly status: string
  readonly message: string
  readonly folder: string
  readonly gates: ReturnType<typeof scoreGates.check>
  /** Null: nothing was scored. */
  readonly result: EvaluationResult | null
}

/**
 * Runs `assay eval rescore <job or folder…> --with <file>`: scores stored outputs again by the metrics of a file, as jobs of the server, or with
 * `--out` here. Exit code 1 if a gate or a job fails here.
 */
export async function rescoreResults(
  given: Context,
  sources: readonly string[],
  options: RescoreCommandOptions,
): Promise<ExitCode | void> {
  const context = withKeyHosts(given, options.keyHost)
  const { out } = options
  if (out === undefined) {
    const { rescoreOnServer } = await import("./rescore-on-server.ts")
    return rescoreOnServer(context, sources, options)
  }
  context.keepHeapSmall()
  const reporter = createProgressReporter(context, options)
  const [file] = await readEvaluation(context, options.with, options)
  const prices = await readPrices(pricesFileOf(context, undefined), context.cwd)
  const places = placesOf(context, sources, resolve(context.cwd, out))
  const codes = new Set<ExitCode>()
  const scored: Rescored[] = []
  for (const [at, place] of places.entries()) {
    if (places.length > 1) reporter.say(`${printable(place.source)} (${at + 1} of ${places.length})`)
    const { code, ...one } = await rescoreOne(context, place, { ...options, reporter, file, prices })
    codes.add(code)
    scored.push(one)
  }
  await print(context, options, { object: "list", data: scored }, ({ data }, layout) => formatRescored(data, layout))
  return [EXIT.no, EXIT.inconclusive].find((one) => codes.has(one)) ?? EXIT.done
}

interface Place {
  readonly source: string
  /** Absolute path of the folder for the results. */
  readonly out: string
}

/** Returns where the results of each source go: to `out`, or to folders below it with the names of the sources if there are several. */
function placesOf({ cwd }: Context, sources: readonly string[], out: string): readonly Place[] {
  const [only = ""] = sources
  if (sources.length === 1) return [{ source: only, out }]
  const taken = new Set<string>()
  return sources.map((source) => {
    const name = basename(resolve(cwd, source))
    if (taken.has(name)) {
      const message = `Two of the jobs have the name '${printable(name)}', which would be the folder of both: rescore one of them by itself.`
      throw new AssayError("bad_usage", message)
    }
    taken.add(name)
    return { source, out: join(out, name) }
  })
}

interface OneOptions extends RescoreCommandOptions {
  readonly reporter: ProgressReporter
  readonly file: OpenedEvaluationFile
  readonly prices: Awaited<ReturnType<typeof readPrices>>
}

async function rescoreOne(
  context: Context,
  { source, out }: Place,
  options: OneOptions,
): Promise<Rescored & { readonly code: ExitCode }> {
  const { reporter, file, prices, force: overwrite = false } = options
  const { signal } = context
  const { config } = jobOfFile(file, { workspace: defaultWorkspace(context), overrides: {} })
  const folder = await folderOf(context, { source, out }, overwrite)
  const listener = {
    onProgress: (progress: Parameters<typeof reporter.show>[0]) => reporter.show(progress),
    onLog: () => {},
    onRowsDone: () => reporter.end(),
  }
  const result = await withTelemetry(context, (telemetry) =>
    localRuns.rescore(localPorts(context, { telemetry, prices }), {
      source: folder,
      name: source,
      config,
      gates: jobGates.ofFile(file).gates,
      file: file.path ?? null,
      folder: file.folder,
      out,
      overwrite,
      listener,
      signal,
    }),
  )
  const shown = { source, rescored_from: result.from, folder: shownPath(context, out) }
  if (result.kind === "done") {
    const { job, result: found } = result.results
    const { id, status, conditions } = job
    const gates = readGateStates(job.gates)
    const message = "An earlier command has computed these results; --force computes them again."
    return { ...shown, id, status, message, gates, result: found, code: exitCodeOfRun({ status, gates, conditions }) }
  }
  const { id, outcome, gates, isInterrupted } = result.attempt
  if (isInterrupted) {
    reporter.say(`interrupted; the same command continues it`)
    throw signal.reason
  }
  const { status, message, conditions, progress } = outcome
  const code = exitCodeOfRun({ status, gates, conditions, failed: progress.failed })
  return { ...shown, id, status, message, gates, result: outcome.result, code }
}

/** Returns the folder with the results of a source. The results of a job of a server are downloaded below the new ones. */
async function folderOf(context: Context, { source, out }: Place, overwrite: boolean): Promise<string> {
  if (isLocal(context, source)) return resolve(context.cwd, source)
  checkServedJob(context, source, "its outputs are in it")
  const { files, evaluation } = openClient(context)
  const { signal } = context
  const folder = join(out, "source")
  await downloadResultFiles(files, await evaluation.jobs.get(source, { signal }), folder, { signal, overwrite })
  return folder
}

/** Scores that are shown of each job. */
const SHOWN = 4

function formatRescored(data: readonly Rescored[], layout: Layout): string {
  const scores = data.map(
    ({ result }) =>
      new Map((result === null ? [] : resultScores.list(result)).map(({ name, found }) => [name, found.value])),
  )
  const names = [...new Set(scores.flatMap((one) => [...one.keys()]))].slice(0, SHOWN)
  const rows = data.map((one, at) => ({ ...one, values: scores[at] }))
  const table = formatTable(
    rows,
    [
      { heading: "JOB", value: ({ source }) => source },
      { heading: "RESULTS", value: ({ folder }) => folder },
      ...names.map((name) => ({
        heading: name,
        value: ({ values }: (typeof rows)[number]) => formatScore(values?.get(name) ?? "NaN"),
        align: "right" as const,
      })),
      { heading: "STATUS", value: ({ status }) => status },
    ],
    layout,
  )
  const failed = data.filter(({ status }) => status !== "COMPLETED")
  const gates = data.flatMap(({ source, gates: own }) =>
    own.map(({ name, limit, verdict }) => `${printable(source)}: ${printable(name)} ${limit}: ${verdict}\n`),
  )
  return [
    table,
    ...gates,
    ...failed.map(({ source, message }) => `${printable(source)}: ${printable(message)}\n`),
  ].join("")
}
