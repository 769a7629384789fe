import { type JobVerdict, printable } from "@assay/schemas"
import { formatCount, formatDuration } from "../../text/format-number.ts"
import { formatCost } from "../../text/estimate-facts.ts"
import { formatConditions, type ShownCondition } from "./format-conditions.ts"
import type { Layout } from "../format-table.ts"
import { tone, toneOf } from "../tone.ts"
import { formatCorrections } from "./format-labels.ts"
import { formatSliceSentences } from "./format-slices.ts"
import { formatWorstRows, type WorstRow } from "./format-worst-rows.ts"
import { formatGates, formatScores, type ShownGate, type ShownScore } from "./format-scores.ts"

/** A run that has ended, on this machine or on a server. */
export interface Outcome {
  readonly name: string
  /** Such as `COMPLETED`. */
  readonly status: string
  /** The verdict that the exit code repeats. Null or absent: nothing decides. */
  readonly verdict?: JobVerdict | null | undefined
  /** One sentence that says how it ended. Shown unless it has completed. */
  readonly message: string
  /** One sentence about what ended the run before all rows were asked. Absent: all rows were asked. */
  readonly early?: string | undefined
  /** Null if the run has no result. */
  readonly scores: readonly ShownScore[] | null
  readonly conditions: readonly ShownCondition[]
  readonly gates: readonly ShownGate[]
  /** Rows that are shown because the run has failed, the worst first. Default: none. */
  readonly worst?: readonly WorstRow[]
  /** Sentences about what the scores leave open. Default: none. */
  readonly notes?: readonly string[]
  readonly rows: number
  readonly milliseconds: number
  /** The cost of the tokens of the target. Null if its model has no price; absent without prices. */
  readonly cost?: { readonly amount: number; readonly currency: string } | null | undefined
  /** The folder of its results in the notation of commands. Absent if they are only on the server. */
  readonly results?: string | undefined
  /** Commands to run next. Shown unless it has completed. */
  readonly next: readonly string[]
}

/** Formats a run: its verdict, how it ended, scores, gates, its worst rows, conditions with what to do, and where the report is. */
export function formatOutcome(outcome: Outcome, layout: Layout = {}): string {
  const {
    name,
    status,
    verdict,
    message,
    early,
    scores,
    conditions,
    gates,
    worst = [],
    notes = [],
    rows,
    milliseconds,
    cost,
    results,
    next,
  } = outcome
  const isCompleted = status === "COMPLETED"
  const end = isCompleted ? (early ?? "") : message
  const why = end === "" ? "" : `\n${printable(end)}`
  const done = rows === 0 ? "" : `, ${formatCount(rows, "row")}`
  const open = conditions.length === 0 ? "" : ` with ${formatCount(conditions.length, "condition")} open`
  const money = cost == null ? "" : `, ${printable(formatCost(cost.amount, cost.currency))}`
  return joinSections([
    `${nameAndVerdict(name, verdict)}${status}${open}${done} in ${formatDuration(milliseconds)}${money}${why}\n`,
    scores === null ? "" : formatScores(scores),
    formatSliceSentences(scores ?? []),
    formatCorrections(scores ?? []),
    gates.length === 0 ? "" : formatGates(gates),
    formatWorstRows(worst, layout),
    formatConditions(conditions),
    notes.map((note) => `${printable(note)}\n`).join(""),
    results === undefined ? "" : `report: ${printable(results)}/results/report.html\n`,
    isCompleted ? "" : formatNext(next),
  ])
}

function nameAndVerdict(name: string, verdict: Outcome["verdict"]): string {
  const shown = printable(name)
  return verdict == null ? `${shown}: ` : `${tone(toneOf(verdict), verdict)}: ${shown}, `
}

/** Formats what happened to a job, its worst rows, the conditions with evidence and remedy, and the commands to run next. */
export function formatExplanation(
  { summary, conditions, next }: Explanation,
  worst: readonly WorstRow[] = [],
  layout: Layout = {},
): string {
  return joinSections([
    `${printable(summary)}\n`,
    formatWorstRows(worst, layout),
    formatConditions(conditions),
    formatNext(next),
  ])
}

interface Explanation {
  readonly summary: string
  readonly conditions: readonly ShownCondition[]
  readonly next: readonly string[]
}

function formatNext(commands: readonly string[]): string {
  return commands.length === 0 ? "" : `next:\n${commands.map((command) => `    ${printable(command)}\n`).join("")}`
}

/** Puts an empty line between the sections that are not empty. */
function joinSections(sections: readonly string[]): string {
  return sections.filter((section) => section !== "").join("\n")
}
