import type { ExplainableJob, GateOutcome } from "@assay/evaluation"
import type { EvaluationResult } from "@assay/schemas"
import { formatCount, formatDuration } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"
import { explainHere } from "./explain-here.ts"
import { formatConditions } from "./format-conditions.ts"
import { formatGates, formatResult } from "./format-result.ts"

/** A run that has ended, on this machine or on a server. */
export interface Outcome extends ExplainableJob {
  readonly name: string
  readonly result: EvaluationResult | null
  readonly gates: readonly GateOutcome[]
  readonly rows: number
  readonly milliseconds: number
  /** The name of a local run in commands. */
  readonly folder?: string
  /** The folder of its results in the notation of commands. Absent if they are only on the server. */
  readonly results?: string
}

/** Formats a run: how it ended, scores, gates, conditions with what to do, and where the report is. */
export function formatOutcome(outcome: Outcome): string {
  const { name, status, status_details, result, conditions, gates, rows, milliseconds, folder, results } = outcome
  const { message } = status_details
  const told = message === "" || status === "COMPLETED" ? "" : `\n${printable(message)}`
  const done = rows === 0 ? "" : `, ${formatCount(rows, "row")}`
  const open = conditions.length === 0 ? "" : ` with ${formatCount(conditions.length, "condition")} open`
  const head = `${printable(name)}: ${status}${open}${done} in ${formatDuration(milliseconds)}${told}\n`
  const report = results === undefined ? "" : `report: ${printable(results)}/results/report.html\n`
  const next = status === "COMPLETED" ? [] : explainHere(outcome, folder).next
  const sections = [
    head,
    result === null ? "" : formatResult(result),
    gates.length === 0 ? "" : formatGates(gates),
    formatConditions(conditions),
    report,
    next.length === 0 ? "" : `next:\n${next.map((command) => `    ${printable(command)}\n`).join("")}`,
  ]
  return sections.filter((section) => section !== "").join("\n")
}
