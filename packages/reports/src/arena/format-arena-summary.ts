import type { ArenaReport } from "@assay/schemas"
import { markdownCode, markdownTable, markdownText } from "../markdown/markdown.ts"
import { formatInteger, formatScore } from "../text/format-number.ts"
import { arenaBias, arenaCost, arenaDecision, arenaFailures, strengthInterval } from "./arena-text.ts"

/** Formats the result of an arena as Markdown, for the summary of a CI step or a comment. Names are escaped. */
export function formatArenaSummary(report: ArenaReport): string {
  const table = markdownTable(
    [
      { heading: "Model" },
      { heading: "Group" },
      { heading: "Strength" },
      { heading: "95 % interval" },
      { heading: "Won, tied, lost" },
    ],
    report.models.map((one) => [
      markdownCode(one.model),
      one.group,
      formatScore(one.strength),
      strengthInterval(one),
      [one.wins, one.ties, one.losses].map(formatInteger).join(", "),
    ]),
  )
  const lines = [arenaCost(report), ...arenaBias(report), ...arenaFailures(report)].map(
    (line) => `- ${markdownText(line)}\n`,
  )
  const sign = report.top === null ? "⚠️" : "✅"
  return `## ${sign} Arena\n\n${markdownText(arenaDecision(report))}\n\n${table}\nModels that share a letter are not told apart.\n\n${lines.join("")}`
}
