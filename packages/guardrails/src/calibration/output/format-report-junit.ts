import { formatJunit, formatShare, type JunitCase } from "@assay/reports"
import type { CalibrationGate, CalibrationReport, Recommendation } from "../report/calibration-report.ts"

/**
 * Formats the report as JUnit XML. Each gate is a test case: FAIL is a failure, INCONCLUSIVE is skipped. One more test case
 * fails if no candidate can be recommended.
 */
export function formatReportJunit(report: CalibrationReport): string {
  const cases = [recommendationCase(report.recommendation), ...report.gates.map((gate) => gateCase(gate, report))]
  return formatJunit({
    name: "calibration",
    suites: [{ name: `calibration on ${report.data}`, cases }],
    milliseconds: report.elapsed_ms,
  })
}

function recommendationCase({ judge, reason, advice }: Recommendation): JunitCase {
  const one = { className: "calibration", name: "a candidate is fit to guard" }
  if (judge !== null) return one
  return { ...one, outcome: { kind: "failure", type: "recommendation", message: reason }, details: advice ?? "" }
}

function gateCase(gate: CalibrationGate, report: CalibrationReport): JunitCase {
  const one = { className: gate.judge, name: `${gate.gate} ≤ ${formatShare(gate.limit)}` }
  const message = `${gate.gate} lies between ${formatShare(gate.low)} and ${formatShare(gate.high)} (95 %, ${gate.basis}), the limit is ${formatShare(gate.limit)}`
  if (gate.verdict === "PASS") return one
  if (gate.verdict === "INCONCLUSIVE") {
    return { ...one, outcome: { kind: "skipped", message: `INCONCLUSIVE: ${message}` } }
  }
  const conditions = report.conditions.filter(({ judge }) => judge === gate.judge)
  const details = conditions.map(({ code, message: found, remedy }) => `${code}: ${found} ${remedy}`).join("\n")
  return { ...one, outcome: { kind: "failure", type: gate.gate, message }, details }
}
