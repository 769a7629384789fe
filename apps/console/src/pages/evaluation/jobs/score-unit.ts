import { formatInteger, formatScore } from "@assay/reports"
import type { EvaluationConfigBody } from "@assay/schemas"
import { formatEvenScore } from "../../../numbers/even-score.ts"

/** The units of metrics that measure an amount, by their type. Money has the currency of its prices, which a configuration does not say. */
const UNITS: Readonly<Record<string, "ms" | "tokens">> = { latency: "ms", tokens: "tokens" }

export type ScoreUnit = "ms" | "tokens" | undefined
type Score = Parameters<typeof formatScore>[0]

/** Returns the unit of the scores of a metric, in a task or in whichever has it. Undefined: they have none. */
export function unitOfMetric(
  { tasks = {} }: Pick<EvaluationConfigBody, "tasks">,
  metric: string,
  task?: string,
): ScoreUnit {
  const searched = task === undefined ? Object.values(tasks) : [tasks[task]]
  const type = searched.map((one) => one?.metrics?.[metric]?.type).find((one) => one !== undefined)
  return type !== undefined && Object.hasOwn(UNITS, type) ? UNITS[type] : undefined
}

/** Returns the title of a column of scores, with their unit. */
export function titleWithUnit(title: string, unit: ScoreUnit): string {
  return unit === undefined ? title : `${title} (${unit})`
}

/** Formats a score of a column whose title has the unit. Amounts are whole, and other scores have equal decimals. */
export function formatInColumn(value: Score, unit: ScoreUnit): string {
  if (unit === undefined || typeof value !== "number") return formatEvenScore(value)
  return formatInteger(Math.round(value))
}

/** Formats a score with its unit behind it. */
export function formatWithUnit(value: Score, unit: ScoreUnit): string {
  return unit === undefined || typeof value !== "number" ? formatScore(value) : `${formatScore(value)} ${unit}`
}
