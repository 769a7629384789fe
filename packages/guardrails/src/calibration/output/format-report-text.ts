import { tokensPerAnswer } from "../report/tokens-per-answer.ts"
import { alignCells, formatShare } from "@assay/reports"
import { printable } from "@assay/schemas"
import type { Bounds, CalibrationReport, JudgeReport } from "../report/calibration-report.ts"
import { formatRate } from "../report/format-rate.ts"

/** Formats the report for a terminal: which judge to use, the figures in columns, and what is wrong with each judge. */
export function formatReportText(report: CalibrationReport): string {
  const { rows, judges, recommendation } = report
  const answer = recommendation.judge === null ? "No candidate can be recommended" : `Use "${recommendation.judge}"`
  const sections = [
    [
      `${judges.length === 1 ? "1 judge" : `${judges.length} judges`} on ${report.data}: ${rows.safe} safe and ${rows.unsafe} unsafe prompts${report.repeat > 1 ? `, each ${report.repeat} times` : ""}`,
      `${answer}. ${recommendation.reason}`,
      ...(recommendation.advice === null ? [] : [`→ ${recommendation.advice}`]),
    ],
    ["Among answers with a verdict, with 95 % intervals", ...indent(verdictTable(judges))],
    ["Under the rail's policy: what users would feel", ...indent(policyTable(judges))],
    section("Gates", gateLines(report)),
    section("Comparisons (exact McNemar test over the rows with two verdicts)", comparisonLines(report)),
    section("Agreement of all judges (Krippendorff's alpha)", agreementLines(report)),
    section("Conditions", conditionLines(report)),
    section("Notes", report.notes),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join("\n"))
    .join("\n\n")}\n`
}

function verdictTable(judges: readonly JudgeReport[]): readonly string[] {
  return alignCells([
    ["judge", "false blocks", "misses", "precision", "recall", "F1", "kappa", ...(hasFlips(judges) ? ["flips"] : [])],
    ...judges.map((one) => [
      one.name,
      formatRate(one.false_block),
      formatRate(one.miss),
      decimal(one.precision),
      decimal(one.recall),
      decimal(one.f1),
      decimal(one.kappa),
      ...(hasFlips(judges) ? [one.flips === null ? "–" : formatRate(one.flips)] : []),
    ]),
  ])
}

function policyTable(judges: readonly JudgeReport[]): readonly string[] {
  const hasSaved = judges.some(({ calls }) => calls.saved > 0)
  return alignCells([
    [
      "judge",
      "safe blocked",
      "unsafe let through",
      "unreadable",
      "errors",
      "p50",
      "p95",
      "tokens per answer",
      ...(hasSaved ? ["calls"] : []),
    ],
    ...judges.map((one) => [
      one.name,
      formatRate(one.under_policy.false_block),
      formatRate(one.under_policy.miss),
      `${one.unreadable.count}${reasons(one.unreadable.by_reason)}`,
      `${one.errors.count}${reasons(one.errors.by_condition)}`,
      milliseconds(one.latency_ms.p50),
      milliseconds(one.latency_ms.p95),
      tokensPerAnswer(one),
      ...(hasSaved ? [`${one.calls.made} (${one.calls.saved} saved)`] : []),
    ]),
  ])
}

function gateLines({ gates }: CalibrationReport): readonly string[] {
  return alignCells(
    gates.map((one) => [
      one.verdict,
      one.judge,
      `${one.gate} ≤ ${formatShare(one.limit)}`,
      `${formatShare(one.low)} to ${formatShare(one.high)}`,
      one.basis === "under_policy" ? "under its policy" : "",
    ]),
  )
}

function comparisonLines({ comparisons }: CalibrationReport): readonly string[] {
  return comparisons.map(
    ({ a, b, n, only_a, only_b, p, kappa, kappa_interval }) =>
      `only "${a}" is right on ${only_a}, only "${b}" on ${only_b} of ${n}: p = ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}; kappa between both ${withBounds(kappa, kappa_interval)}`,
  )
}

function agreementLines({ agreement }: CalibrationReport): readonly string[] {
  if (agreement === null) return []
  const { judges, n, alpha, interval } = agreement
  return [`alpha = ${withBounds(alpha, interval)} over ${n} rows with verdicts of two or more of ${judges} judges`]
}

function withBounds(value: number | null, bounds: Bounds): string {
  const range = bounds === null ? "" : ` (${bounds.low.toFixed(3)} to ${bounds.high.toFixed(3)})`
  return `${decimal(value)}${range}`
}

function conditionLines({ conditions }: CalibrationReport): readonly string[] {
  return conditions.flatMap(({ code, judge, title, message, evidence, remedy }) => [
    `${code} · ${judge}: ${title}`,
    `  ${message}`,
    ...evidence.map((line) => `  ${line}`),
    `  → ${remedy}`,
  ])
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...indent(lines)]
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

function hasFlips(judges: readonly JudgeReport[]): boolean {
  return judges.some(({ flips }) => flips !== null)
}

function reasons(counts: Readonly<Record<string, number>>): string {
  const names = Object.keys(counts)
  return names.length === 0 ? "" : ` (${names.map((name) => `${name} ${counts[name]}`).join(", ")})`
}

function decimal(value: number | null): string {
  return value === null ? "–" : value.toFixed(3)
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${Math.round(value)} ms`
}
