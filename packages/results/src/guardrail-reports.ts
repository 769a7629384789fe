import { contentSafetyReport } from "./content-safety-report.ts"
import type { CalibrationReport } from "@assay/guardrails"
import type { Condition, ConditionCode, DatasetPin, EvaluationJob, EvaluationResult } from "@assay/schemas"
import type { RowsReader } from "./rows/read-rows.ts"
import { runParams } from "@assay/scoring"
import { readLatestRows } from "./rows/read-latest-rows.ts"
import type { GateOutcome } from "./scores/check-gates.ts"

export interface GuardrailReportsInput {
  readonly job: Pick<EvaluationJob, "target" | "config"> & Partial<Pick<EvaluationJob, "created_at" | "started_at">>
  readonly journal: Pick<RowsReader, "read">
  readonly pins: readonly DatasetPin[]
  readonly result: Pick<EvaluationResult, "tasks" | "created_at">
}

/** Conditions that no single row shows. The others are found while the rows are scored. */
const OVER_ALL_ROWS: ReadonlySet<string> = new Set<ConditionCode>(["judge_overblocks", "judge_underblocks"])

/** What the reports about the judges of a job say of the job. */
export interface GuardrailFindings {
  /** Judges that block too much or miss too much, each condition once. */
  readonly conditions: readonly Condition[]
  /** The limits of a `calibration`. */
  readonly gates: readonly GateOutcome[]
}

/**
 * Returns what the reports of a `content_safety` or `calibration` job say. Other jobs have none.
 * @param now returns milliseconds since 1970, UTC
 */
export async function readGuardrailFindings(
  input: GuardrailReportsInput,
  now: () => number,
): Promise<GuardrailFindings> {
  const found = new Map<ConditionCode, Condition>()
  const gates: GateOutcome[] = []
  for await (const report of reportGuardrails(input)) {
    if (input.job.config.type === "calibration") gates.push(...gatesOfReport(report))
    for (const { code, judge, title, message, evidence, remedy, count } of report.conditions) {
      if (!isOverAllRows(code)) continue
      const at = new Date(now()).toISOString()
      const named = { message: `${judge}: ${message}`, evidence: [...evidence] }
      const before = found.get(code)
      const one = { code, title, ...named, remedy, count, first_seen: at, last_seen: at }
      found.set(code, before === undefined ? one : joined(before, one))
    }
  }
  return { conditions: [...found.values()], gates }
}

/** Joins the conditions of two judges. The remedy of the second may name other prompts, so both are kept. */
function joined(a: Condition, b: Condition): Condition {
  return {
    ...a,
    message: `${a.message} ${b.message}`,
    evidence: [...a.evidence, ...b.evidence],
    remedy: a.remedy === b.remedy ? a.remedy : `${a.remedy} ${b.remedy}`,
    count: a.count + b.count,
  }
}

/**
 * Yields what a job has measured of guardrails: one report of all judges for a `calibration`, and a report for each task of
 * `content_safety`. Yields nothing for other jobs.
 */
export async function* reportGuardrails(
  { job, journal, pins, result }: GuardrailReportsInput,
  signal?: AbortSignal,
): AsyncGenerator<CalibrationReport, void, undefined> {
  const { config, target, started_at, created_at } = job
  const tasks = Object.keys(result.tasks)
  const data = pins.map(({ files_url }) => files_url).join(", ") || "the rows of the job"
  const read = (stop?: AbortSignal) => journal.read(stop)
  if (config.type === "calibration") {
    const { max_false_block, max_miss } = config.params ?? {}
    const begun = Date.parse(started_at ?? created_at ?? result.created_at)
    const repeat = runParams(config.params).repeats
    yield await contentSafetyReport(readLatestRows(read, { tasks, repeats: "all" }, signal), {
      names: new Map(tasks.map((task) => [task, task])),
      data,
      repeat,
      elapsedMs: Math.max(0, Date.parse(result.created_at) - begun),
      maxFalseBlock: max_false_block ?? undefined,
      maxMiss: max_miss ?? undefined,
    })
  }
  if (config.type !== "content_safety") return
  const name = target.model?.api_endpoint.model_id ?? config.name ?? "guardrail"
  for (const task of tasks) {
    const rows = readLatestRows(read, { tasks: [task], repeats: "first" }, signal)
    yield await contentSafetyReport(rows, { names: new Map([[task, name]]), data })
  }
}

/** Returns the gates of a calibration as gates of its job, named `judge.false_block` and `judge.miss`. */
function gatesOfReport({ judges, gates }: Pick<CalibrationReport, "judges" | "gates">): readonly GateOutcome[] {
  return gates.map(({ gate, judge: name, limit, low, high, basis, verdict }) => {
    const judge = judges.find((one) => one.name === name)
    const rate = basis === "verdicts" ? judge?.[gate].rate : judge?.under_policy[gate].rate
    return { name: `${name}.${gate}`, limit: `<= ${limit}`, value: rate ?? "NaN", low, high, verdict }
  })
}

function isOverAllRows(code: string): code is ConditionCode {
  return OVER_ALL_ROWS.has(code)
}

/** Functions that read the reports of guardrails in a result. */
export const guardrailReports = Object.freeze({ read: readGuardrailFindings, gates: gatesOfReport })
