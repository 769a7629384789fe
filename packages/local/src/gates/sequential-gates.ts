import { type JobGate, scoreScale } from "@assay/schemas"
import type { ScoreGate } from "@assay/results"
import type { OpenedEvaluationFile } from "../file/evaluation-file.ts"
import { checkNamedGate, findNamed, scoresOf } from "./score-gates.ts"

/** A gate with the probability of a wrong verdict that it may have. */
export interface LevelledGate extends ScoreGate {
  readonly alpha: number
}

/** The largest alpha that a gate of a job can have. */
const MAX_ALPHA = 0.5
const SHARE = [0, 1] as const

/**
 * Returns the gates of a job that ends as soon as all of them are decided for all rows like these, each wrong with a probability of at most its own alpha. Undefined if the job has to ask all
 * rows: for a corrected mean, a gate on these rows, a score over all rows at once or over several tasks, rows in groups, and a score without a known range that contains the limit.
 * @throws `bad_usage` for a gate on a score that the job will not have, or that no value keeps or breaks
 */
export function sequentialGates(
  { content, sharedNames }: Pick<OpenedEvaluationFile, "content" | "sharedNames">,
  gates: readonly LevelledGate[],
): JobGate[] | undefined {
  const { config } = content
  const scores = scoresOf(content)
  if (scores === undefined || typeof config === "string") return undefined
  const found = gates.map((gate): JobGate | undefined => {
    const score = checkNamedGate(gate, { content, sharedNames, scores })
    const { task, metric } = score.location
    const written = config.tasks?.[task]?.metrics?.[metric]
    const { limit, isCorrected = false, isOnTheseRows = false, maxUnscored, alpha } = gate
    const [op, value] = "atLeast" in limit ? ([">=", limit.atLeast] as const) : (["<=", limit.atMost] as const)
    const [low, high] = (written === undefined ? undefined : scoreScale(written, score.score)) ?? SHARE
    const isWithin = value >= low && value <= high && Number.isFinite(high)
    if (isCorrected || isOnTheseRows || !score.isMeanOfRows || !isWithin) return undefined
    return {
      ...score.location,
      op,
      value,
      stop: "early",
      population: "unlimited",
      // The gates of a job share their alpha in equal parts.
      alpha: Math.min(MAX_ALPHA, alpha * gates.length),
      range: [low, high],
      ...(maxUnscored === undefined ? {} : { max_unscored: maxUnscored }),
    }
  })
  const early = found.filter((one) => one !== undefined)
  return early.length === gates.length ? early : undefined
}

/** Checks that a job will have a score, if its target and configuration are in the file. @throws `bad_usage` with the names of all scores */
export function checkScoreName({ content }: Pick<OpenedEvaluationFile, "content">, name: string): void {
  const scores = scoresOf(content)
  if (scores !== undefined) findNamed(name, scores)
}

/** Returns a file without the gates of its own, which other gates replace. */
export function withoutGates(file: OpenedEvaluationFile): OpenedEvaluationFile {
  const { gates: _ofFile, config, ...content } = file.content
  if (typeof config === "string" || config.params?.gates === undefined) {
    return { ...file, content: { ...content, config } }
  }
  const { gates: _ofJob, ...params } = config.params
  return { ...file, content: { ...content, config: { ...config, params } } }
}
