import { type JudgeReport, printable } from "@assay/schemas"
import { findingInterval, judgeFindings, JUDGE_WORDS } from "../../text/judge-report.ts"
import { formatCount, formatScore } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"

/** A score whose judge is examined. */
export interface ShownJudge {
  readonly name: string
  readonly report: JudgeReport
  /** Sentences about gates, and what to do next. */
  readonly sentences: readonly string[]
}

/** Formats whether the judge of a score is any good: the conclusion first, then what it stands on. */
export function formatJudge({ name, report, sentences }: ShownJudge, layout: Layout): string {
  const by = report.model === null ? "" : ` by ${printable(report.model)}`
  const findings = judgeFindings(report)
  const table =
    findings.length === 0
      ? ""
      : formatTable(
          findings,
          [
            { heading: "CHECK", value: ({ check }) => check },
            { heading: "FOUND", value: ({ value }) => formatScore(value), align: "right" },
            { heading: "95 % INTERVAL", value: findingInterval, align: "right" },
            { heading: "FROM", value: ({ from }) => from },
          ],
          layout,
        )
  const lines = [report.message, ...sentences].map((sentence) => `${printable(sentence)}\n`)
  return `${printable(name)}${by}: ${JUDGE_WORDS[report.conclusion]} (${formatCount(report.rows, "verdict")})\n\n${lines.join("")}${table === "" ? "" : `\n${table}`}`
}
