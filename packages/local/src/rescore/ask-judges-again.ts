import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createRandom } from "@assay/metrics"
import { judgeDoctor } from "@assay/results"
import { type EvaluationConfigBody, type EvaluationRow, isAssayError, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { scoreIdentity } from "@assay/scoring"
import { createFolder } from "@assay/storage"
import type { LocalPorts } from "../local-environment.ts"
import { readJobToCompare, readStoredJob, readResultsFolder } from "../runs/results-folder.ts"
import type { AttemptListener } from "../run-local-attempt.ts"
import { ANSWERS, keptAnswers, keptSwapped, type SwappedFields } from "./kept-answers.ts"
import { rescoreLocally } from "./rescore-locally.ts"

export interface AskAgainOptions {
  /** Absolute path of the folder with the results. */
  readonly source: string
  /** The source as the user wrote it. */
  readonly name: string
  /** The evaluation file whose judges are asked, which must be those of the results. Undefined: as the results name them. */
  readonly config: EvaluationConfigBody | undefined
  /** Absolute path of the folder that local paths of the configuration are relative to. */
  readonly folder: string
  /** How often each output is judged again. */
  readonly times: number
  /** Two fields of the rows, or `output`, that hold the answers A and B of a judge that compares. They change positions in a question more. */
  readonly swap?: SwappedFields | undefined
  /** The number of rows of each task that are judged again, drawn at random. */
  readonly rows: number
  /** Absolute path of the folder in which the answers are kept. */
  readonly out: string
  readonly listener: AttemptListener
  /** Called before the first request. */
  readonly onPlan: (plan: AskPlan) => void
  readonly signal: AbortSignal
}

/** The cost of asking again. */
export interface AskPlan {
  readonly rows: number
  readonly times: number
  /** Requests to judges. Those that an earlier command has made are not made again. */
  readonly calls: number
  readonly models: readonly string[]
}

/**
 * Asks the judges of results again about some of the outputs, and keeps their scores below `out`. The target is not asked. Whatever an earlier command has asked is
 * not asked again, also if that command was interrupted.
 * @throws `bad_document` without results, `bad_usage` if the judges of the file are others or no row was judged
 */
async function askJudgesAgain(ports: LocalPorts, options: AskAgainOptions): Promise<void> {
  const { source, name, times, folder, listener, onPlan, signal } = options
  const out = join(options.out, `rows-${options.rows}`)
  const stored = await readResultsFolder(source, name)
  const judged = judgeConfig(stored.job.config, judgeDoctor.scores(stored.job.config, stored.result))
  if (judged === undefined) return
  const config = options.config === undefined ? judged : sameJudges(judged, options.config, name)
  const sample = join(out, "sample")
  const drawn = await sampleRows({ ...options, config: judged })
  const rows = drawn.length
  const calls = drawn.reduce((sum, row) => sum + callsOf(row, judged), 0)
  await writeSample(sample, drawn, { ...options, config: judged })
  const models = judgeDoctor.scores(stored.job.config, stored.result).flatMap(({ model }) => model ?? [])
  const { swap } = options
  const questions = times + (swap === undefined ? 0 : 1)
  const lines = swap === undefined ? [] : judgeDoctor.swapRows(drawn, swap, name)
  onPlan({ rows, times, calls: calls * questions, models: [...new Set(models)] })
  if (rows === 0) throw new AssayError("bad_usage", `No row of '${printable(name)}' has an output that was judged.`)
  const ask = async (from: string, to: string): Promise<void> => {
    const rescoring = {
      source: from,
      name: from,
      config,
      gates: [],
      file: null,
      folder,
      listener,
      signal,
      out: join(out, to),
    }
    const ended = await rescoreLocally(ports, { ...rescoring, overwrite: false }).catch((error: unknown) => {
      // Answers about other results, or from another address, are older than these results.
      if (!isAssayError(error, "output_exists")) throw error
      return rescoreLocally(ports, { ...rescoring, overwrite: true })
    })
    signal.throwIfAborted()
    if (ended.kind !== "scored" || ended.attempt.outcome.status === "COMPLETED") return
    const message = `The judge was not asked about all rows: ${ended.attempt.outcome.message}`
    throw new AssayError("upstream_failed", message)
  }
  for (let time = 1; time <= times; time++) await ask(sample, `ask-${time}`)
  if (swap === undefined) return
  const other = join(out, ANSWERS.swappedSample)
  await writeSample(other, lines, { ...options, config: judged })
  await writeIfChanged(join(other, ANSWERS.fields), JSON.stringify(swap))
  await ask(other, ANSWERS.swapped)
}

type Judges = ReturnType<typeof judgeDoctor.scores>

/** Returns a configuration with only the metrics that ask a judge, which are asked once and not from a cache. Undefined: there are none. */
function judgeConfig(
  { tasks = {}, ...config }: EvaluationConfigBody,
  judges: Judges,
): EvaluationConfigBody | undefined {
  if (judges.length === 0) return undefined
  const kept = Object.entries(tasks).flatMap(([name, task]) => {
    const own = new Set(judges.filter((one) => one.task === name).map(({ metric }) => metric))
    const metrics = Object.entries(task.metrics ?? {}).filter(([key]) => own.has(key))
    return metrics.length === 0
      ? []
      : [[name, { ...task, metrics: Object.fromEntries(metrics), params: { ...task.params, repeats: 1 } }] as const]
  })
  const { gates: _gates, ...params } = config.params ?? {}
  return { ...config, params: { ...params, repeats: 1, cache: false }, tasks: Object.fromEntries(kept) }
}

/** Returns the judges of a file with its endpoints and keys. @throws `bad_usage` if they measure something else */
function sameJudges(judged: EvaluationConfigBody, given: EvaluationConfigBody, name: string): EvaluationConfigBody {
  const tasks = Object.entries(judged.tasks ?? {}).map(([task, own]) => {
    const metrics = Object.keys(own.metrics ?? {}).map((metric) => {
      const found = given.tasks?.[task]?.metrics?.[metric]
      const changed = scoreIdentity.changed(judged, given, { task, metric, score: "" })
      if (found !== undefined && changed.length === 0) return [metric, found] as const
      const message = `The file has another judge '${printable(`${task}.${metric}`)}' than '${printable(name)}': ${changed.join(", ") || "it is missing"}. Give the file of that run.`
      throw new AssayError("bad_usage", message)
    })
    return [task, { ...own, metrics: Object.fromEntries(metrics) }] as const
  })
  return { ...judged, tasks: Object.fromEntries(tasks) }
}

type SampleOptions = AskAgainOptions & { readonly config: EvaluationConfigBody }

/** Returns some rows, each with the output of its first repeat. */
async function sampleRows({
  source,
  name,
  rows: limit,
  config,
  signal,
}: SampleOptions): Promise<readonly EvaluationRow[]> {
  const { rows: read } = await readJobToCompare(source, name)
  const last = new Map<string, EvaluationRow>()
  const positions = await drawRows(read, { limit, config, signal })
  for await (const batch of read(signal)) {
    for (const row of batch) if (row.repeat === 0 && positions.has(positionOf(row))) last.set(positionOf(row), row)
  }
  return [...last.values()].toSorted((a, b) => a.row_index - b.row_index)
}

/** Writes rows as the results of a job. */
async function writeSample(
  sample: string,
  rows: readonly EvaluationRow[],
  { source, name, config }: SampleOptions,
): Promise<void> {
  const stored = await readStoredJob(source, name)
  await createFolder(join(sample, "config"), { durable: false })
  await createFolder(join(sample, "results"), { durable: false })
  await writeIfChanged(join(sample, "config", "job.json"), JSON.stringify({ ...stored, config, status: "COMPLETED" }))
  await writeIfChanged(join(sample, "results", "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
}

type ReadRows = Awaited<ReturnType<typeof readJobToCompare>>["rows"]

/** Draws rows of each task whose first repeat has an output. The same results give the same rows. */
async function drawRows(
  read: ReadRows,
  {
    limit,
    config,
    signal,
  }: Pick<AskAgainOptions, "signal"> & { readonly limit: number; readonly config: EvaluationConfigBody },
): Promise<ReadonlySet<string>> {
  const byTask = new Map(Object.keys(config.tasks ?? {}).map((task) => [task, new Set<number>()]))
  for await (const batch of read(signal)) {
    for (const { task, row_index: row, repeat, sample } of batch)
      if (repeat === 0 && sample !== null) byTask.get(task)?.add(row)
  }
  const drawn = [...byTask].flatMap(([task, rows]) => {
    const random = createRandom(0)
    const keyed = [...rows].toSorted((a, b) => a - b).map((row_index) => ({ row_index, key: random() }))
    const first = keyed.toSorted((a, b) => a.key - b.key).slice(0, limit)
    return first.map(({ row_index }) => positionOf({ task, row_index }))
  })
  return new Set(drawn)
}

function positionOf({ task, row_index: row }: Pick<EvaluationRow, "task" | "row_index">): string {
  return JSON.stringify([task, row])
}

/** Counts the questions to judges about a row: as many as there are answers, and one if they were not kept. */
function callsOf({ task, judge_answers: answers }: EvaluationRow, { tasks = {} }: EvaluationConfigBody): number {
  return Object.keys(tasks[task]?.metrics ?? {}).reduce((sum, key) => sum + (answers?.[key]?.length ?? 1), 0)
}

async function writeIfChanged(path: string, text: string): Promise<void> {
  const before = await readFile(path, "utf8").catch(() => undefined)
  if (before !== text) await writeFile(path, text)
}

/** Judges that are asked again about stored outputs, and their answers. */
export const askedJudges = Object.freeze({ ask: askJudgesAgain, kept: keptAnswers, keptSwapped })
