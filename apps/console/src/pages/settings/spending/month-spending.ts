import type { EvaluationJob, Spending } from "@assay/schemas"
import type { Costs } from "../../../numbers/cost-text.ts"
import { nameOfTarget } from "../../evaluation/jobs/job-names.ts"

/** The use of each name. */
export interface Used {
  readonly name: string
  readonly requests: number
  readonly tokens: number
  /** By currency: money of two currencies has no sum. */
  readonly costs: Costs
  /** Tokens without a price. */
  readonly unpriced: number
}

/** Returns the use of each month, the oldest first, with months without use between them. */
export function usedByMonth({ data, month }: Spending, months: number): readonly Used[] {
  const [year = 0, number = 0] = month.split("-").map(Number)
  const names = Array.from({ length: months }, (_, back) =>
    new Date(Date.UTC(year, number - 1 - (months - 1 - back))).toISOString().slice(0, "2026-11".length),
  )
  return names.map((name) =>
    sumOf(
      name,
      data.filter((one) => one.month === name),
    ),
  )
}

/** Returns the use of each workspace in a month, the dearest first. */
export function usedByWorkspace({ data }: Spending, month: string): readonly Used[] {
  const used = data.filter((one) => one.month === month).map((one) => sumOf(one.workspace, [one]))
  return used.toSorted(dearest)
}

function sumOf(name: string, data: Spending["data"]): Used {
  const costs: Record<string, number> = {}
  for (const { cost } of data) if (cost !== null) costs[cost.currency] = (costs[cost.currency] ?? 0) + cost.amount
  const total = (of: (one: Spending["data"][number]) => number) => data.reduce((sum, one) => sum + of(one), 0)
  return {
    name,
    costs,
    requests: total(({ requests }) => requests),
    tokens: total(({ prompt_tokens, completion_tokens }) => prompt_tokens + completion_tokens),
    unpriced: total(({ unpriced_tokens }) => unpriced_tokens),
  }
}

/** Returns the use of each model by the targets of jobs, the dearest first. Judges are not in it. */
export function usedByModel(jobs: readonly EvaluationJob[]): readonly Used[] {
  const byModel = Map.groupBy(jobs.filter(hasTokens), nameOfTarget)
  return [...byModel].map(([name, own]) => sumOfJobs(name, own)).toSorted(dearest)
}

export function hasTokens({ status_details: { tokens } }: EvaluationJob): boolean {
  return tokens !== undefined && tokensOf(tokens) > 0
}

export function sumOfJobs(name: string, jobs: readonly EvaluationJob[]): Used {
  const costs: Record<string, number> = {}
  for (const { status_details } of jobs) {
    const { cost } = status_details
    if (cost != null) costs[cost.currency] = (costs[cost.currency] ?? 0) + cost.amount
  }
  const without = jobs.filter(({ status_details: { cost } }) => cost == null)
  const total = (of: readonly EvaluationJob[]) =>
    of.reduce((sum, { status_details: { tokens } }) => sum + tokensOf(tokens), 0)
  return { name, costs, requests: jobs.length, tokens: total(jobs), unpriced: total(without) }
}

function tokensOf(tokens: EvaluationJob["status_details"]["tokens"]): number {
  if (tokens === undefined) return 0
  const { prompt, completion, total = (prompt ?? 0) + (completion ?? 0) } = tokens
  return total ?? 0
}

export function dearest(one: Used, other: Used): number {
  return costOf(other) - costOf(one) || other.tokens - one.tokens
}

function costOf({ costs }: Used): number {
  return Math.max(0, ...Object.values(costs))
}

/** The month has to be this old before its end is forecast. */
const MIN_SHARE = 1 / 31

/**
 * Returns the costs at the end of the current month if its jobs go on as so far: the costs so far divided by the part of the month that is
 * over. Undefined on its first day.
 */
export function forecastOf(
  { costs }: Pick<Used, "costs">,
  { started_at, resets_at }: Spending,
  now: number,
): Costs | undefined {
  const share = (now - Date.parse(started_at)) / (Date.parse(resets_at) - Date.parse(started_at))
  if (share < MIN_SHARE || share > 1) return undefined
  return Object.fromEntries(Object.entries(costs).map(([currency, amount]) => [currency, amount / share]))
}
