import {
  type EvaluationConfigBody,
  type EvaluationTargetBody,
  type JobGate,
  nearestNames,
  printable,
} from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { NUMBER_RANGES } from "@assay/json"
import { shapePlan } from "@assay/evaluation"
import { CORRECTED, findScore, type ScoreGate } from "@assay/results"
import type { OpenedEvaluationFile } from "./file/evaluation-file.ts"

const SHAPE = /^\s*(.+?)\s*(>=|<=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*$/i

/**
 * Parses a gate such as `task.metric.score>=0.8`, `task.metric>=0.8` of a metric with one score, `task.metric.score<=0.1` or `task.metric.score corrected by people>=0.8`.
 * @throws `bad_usage`
 */
export function parseGate(text: string): ScoreGate {
  const [, name, relation, number] = SHAPE.exec(text) ?? []
  if (name === undefined || number === undefined) {
    const message = `'${printable(text)}' is not a gate: write task.metric.score>=0.8, or <= if lower is better.`
    throw new AssayError("bad_usage", message)
  }
  const { minimum, maximum } = NUMBER_RANGES.score
  if (!(Number(number) >= minimum && Number(number) <= maximum)) {
    const message = `The limit ${printable(number)} of the gate '${printable(name)}' is not a number from ${minimum} to ${maximum}.`
    throw new AssayError("bad_usage", message)
  }
  const limit = relation === ">=" ? { atLeast: Number(number) } : { atMost: Number(number) }
  return name.endsWith(CORRECTED)
    ? { name: name.slice(0, -CORRECTED.length).trimEnd(), limit, isCorrected: true }
    : { name, limit }
}

/**
 * Checks before a launch that each gate names a score that the job will have. Checks nothing if target or configuration is only named,
 * or if they have faults: then the result decides.
 * @throws `bad_usage` with the names of all scores
 */
export function checkGateNames(
  gates: readonly ScoreGate[],
  target: string | EvaluationTargetBody,
  config: string | EvaluationConfigBody,
): void {
  if (gates.length === 0 || typeof target === "string" || typeof config === "string") return
  const scores = scoresOf(target, config)
  if (scores === undefined) return
  for (const { name, isCorrected } of gates) {
    const { task, metric } = checkName(name, scores)
    if (isCorrected !== true || config.tasks?.[task]?.metrics?.[metric]?.labels !== undefined) continue
    const message = `A gate compares '${printable(name)}' corrected by people, and its metric has no labels: name them as \`labels\` of metric '${printable(metric)}'.`
    throw new AssayError("bad_usage", message)
  }
}

/**
 * Returns the same gates as early gates of a job, which end it as soon as they are decided.
 * @throws `bad_usage` without gates, for a score that the job does not have, and if target or configuration is only named
 */
export function earlyGates(
  gates: readonly ScoreGate[],
  target: string | EvaluationTargetBody,
  config: string | EvaluationConfigBody,
): JobGate[] {
  if (gates.length === 0) throw new AssayError("bad_usage", "--stop-early needs a gate: add --gate.")
  if (typeof target === "string" || typeof config === "string") {
    const message =
      "--stop-early needs target and configuration in the file; write the gates into the stored configuration, as params.gates."
    throw new AssayError("bad_usage", message)
  }
  const scores = scoresOf(target, config)
  // The checks of the launch report the faults of the job.
  if (scores === undefined) return []
  if (gates.some(({ isCorrected }) => isCorrected)) {
    const message =
      "--stop-early is not possible with a gate on a corrected mean: the labels are read when all rows are scored."
    throw new AssayError("bad_usage", message)
  }
  return gates.map(({ name, limit }) => ({
    ...checkName(name, scores),
    ...("atLeast" in limit ? { op: ">=", value: limit.atLeast } : { op: "<=", value: limit.atMost }),
    stop: "early",
  }))
}

/**
 * Returns the gates of a file that are texts.
 * @throws `bad_document` with the location of a gate that can't be read, or that names a score which the job will not have
 */
export function fileGates({
  content,
  document,
}: Pick<OpenedEvaluationFile, "content" | "document">): readonly ScoreGate[] {
  const { gates = [], target, config } = content
  const written: unknown = (document.value as Partial<Record<string, unknown>> | null)?.["gates"]
  return gates.map((text) => {
    try {
      const gate = parseGate(text)
      checkGateNames([gate], target, config)
      return gate
    } catch (error) {
      if (!isAssayError(error, "bad_usage")) throw error
      const at = Array.isArray(written) ? written.indexOf(text) : 0
      throw new AssayError("bad_document", `${document.locationOf(`/gates/${at}`)}: ${error.message}`, { cause: error })
    }
  })
}

interface JobScore extends Required<Pick<JobGate, "task" | "metric" | "score">> {
  /** `task.metric.score`, with the name under which the results have the task. */
  readonly name: string
  readonly location: Pick<JobGate, "task" | "metric" | "score">
}

/** Returns the scores of a job, each name once; undefined if its target or its configuration has faults. */
function scoresOf(target: EvaluationTargetBody, config: EvaluationConfigBody): readonly JobScore[] | undefined {
  const { tasks, issues } = shapePlan(target, config)
  if (tasks.length === 0 || issues.length > 0) return undefined
  const scores = tasks.flatMap(({ name: own, group, metrics }) =>
    metrics.flatMap(({ key: metric, scores: names }) =>
      names.map((score): JobScore => {
        const task = group ?? own
        return { task, metric, score, name: `${task}.${metric}.${score}`, location: { task: own, metric, score } }
      }),
    ),
  )
  return [...new Map(scores.map((score) => [score.name, score])).values()]
}

function checkName(name: string, scores: readonly JobScore[]): JobScore["location"] {
  const found = findScore(scores, name)
  if (found !== undefined) return found.location
  const names = scores.map((score) => score.name)
  const near = nearestNames(name, names)
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((one) => `'${printable(one)}'`).join(" or ")}?`
  const message = `A gate names '${printable(name)}', which is not a score of this job. Its scores are ${names.map(printable).join(", ")}.${hint}`
  throw new AssayError("bad_usage", message)
}
