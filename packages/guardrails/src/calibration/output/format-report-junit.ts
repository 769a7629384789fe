import type { CalibrationGate, CalibrationReport, Recommendation } from "./calibration-report.ts"
import { formatShare } from "./format-share.ts"
import { xml } from "./xml.ts"

/**
 * Writes a test case for each gate, as CI servers read them: FAIL is a failure, INCONCLUSIVE is skipped with what it takes. One more
 * says whether a candidate can be recommended.
 */
export function formatReportJunit(report: CalibrationReport): string {
  const isNoneFit = report.recommendation.judge === null
  const failures = report.gates.filter(({ verdict }) => verdict === "FAIL").length + (isNoneFit ? 1 : 0)
  const skipped = report.gates.filter(({ verdict }) => verdict === "INCONCLUSIVE").length
  const counts = `tests="${report.gates.length + 1}" failures="${failures}" errors="0" skipped="${skipped}"`
  const time = (report.elapsed_ms / 1000).toFixed(3)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="calibration" ${counts} time="${time}">`,
    `  <testsuite name="${xml(`calibration on ${report.data}`)}" ${counts} time="${time}">`,
    recommendationCase(report.recommendation),
    ...report.gates.map((gate) => testCase(gate, report)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n")
}

function recommendationCase({ judge, reason, advice }: Recommendation): string {
  const start = `    <testcase classname="calibration" name="a candidate is fit to guard"`
  if (judge !== null) return `${start}/>`
  return `${start}>\n      <failure type="recommendation" message="${xml(reason)}">${xml(advice ?? "")}</failure>\n    </testcase>`
}

function testCase(gate: CalibrationGate, report: CalibrationReport): string {
  const start = `    <testcase classname="${xml(gate.judge)}" name="${xml(`${gate.gate} ≤ ${formatShare(gate.limit)}`)}"`
  const found = `${gate.gate} lies between ${formatShare(gate.low)} and ${formatShare(gate.high)} (95 %, ${gate.basis}), the limit is ${formatShare(gate.limit)}`
  if (gate.verdict === "PASS") return `${start}/>`
  if (gate.verdict === "INCONCLUSIVE") {
    return `${start}>\n      <skipped message="${xml(`INCONCLUSIVE: ${found}`)}"/>\n    </testcase>`
  }
  const conditions = report.conditions.filter(({ judge }) => judge === gate.judge)
  const details = conditions.map(({ code, message, remedy }) => `${code}: ${message} ${remedy}`).join("\n")
  return `${start}>\n      <failure type="${gate.gate}" message="${xml(found)}">${xml(details)}</failure>\n    </testcase>`
}
