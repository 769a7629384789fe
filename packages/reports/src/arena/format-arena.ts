import { type ArenaReport, printable } from "@assay/schemas"
import { formatTable } from "../terminal/format-table.ts"
import { cutLine } from "../text/cut-text.ts"
import { formatInteger, formatScore } from "../text/format-number.ts"
import { arenaBias, arenaCost, arenaDecision, arenaFailures, strengthInterval } from "./arena-text.ts"

/** A line of a terminal. */
const WIDTH = 80
const NAME = 24

/** Formats the result of an arena: a table of models, the strongest first, the decision, its cost, and what the judge prefers. */
export function formatArena(report: ArenaReport): string {
  const table = formatTable(
    report.models,
    [
      { heading: "MODEL", value: ({ model }) => cutLine(model, NAME) },
      { heading: "GROUP", value: ({ group }) => group },
      { heading: "STRENGTH", value: ({ strength }) => formatScore(strength), align: "right" },
      { heading: "95 % INTERVAL", value: strengthInterval },
      { heading: "WON", value: ({ wins }) => formatInteger(wins), align: "right" },
      { heading: "TIED", value: ({ ties }) => formatInteger(ties), align: "right" },
      { heading: "LOST", value: ({ losses }) => formatInteger(losses), align: "right" },
    ],
    { width: WIDTH },
  )
  const lines = [
    arenaDecision(report),
    "Models that share a letter are not told apart.",
    arenaCost(report),
    ...arenaBias(report),
    ...arenaFailures(report),
  ]
  return `${table}\n${lines.map((line) => `${printable(line)}\n`).join("")}`
}
