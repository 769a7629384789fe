import { printable, type ReleaseReport } from "@assay/schemas"
import { cutLine } from "../text/cut-text.ts"
import { formatScore } from "../text/format-number.ts"
import { formatTable } from "../terminal/format-table.ts"
import { tone, toneOf } from "../terminal/tone.ts"
import { askedSentence, gateSentence, gatesOf, quarantineSentence } from "./gate-sentence.ts"

/** A line of a terminal. */
const WIDTH = 80
const NAME = 28

/** Formats the outcome of a release policy: a table of evaluations of at most 80 columns, the gates that do not pass, and a line with the verdict. */
export function formatRelease({ verdict, alpha, message, evaluations, asked }: ReleaseReport): string {
  const table = formatTable(
    evaluations,
    [
      { heading: "EVALUATION", value: ({ name }) => cutLine(name, NAME) },
      { heading: "TIER", value: ({ tier }) => tier },
      {
        heading: "STATE",
        value: ({ state }) => state,
        tone: ({ state }) => (state === "MISSING" ? "bad" : toneOf(state)),
      },
      { heading: "GATES", value: (one) => (one.state === "MISSING" ? "no results" : gatesOf(one)) },
    ],
    { width: WIDTH },
  )
  const details = evaluations.flatMap(({ name, state, reason, gates, warnings }) => {
    const own = gates.flatMap((gate) => {
      const open = gate.verdict === "PASS" ? [] : [gateSentence(gate)]
      const flipping = quarantineSentence(gate)
      return flipping === undefined ? open : [...open, flipping]
    })
    const missing = state === "MISSING" && reason !== undefined ? [`MISSING: ${reason}`] : []
    const lines = [...missing, ...own, ...warnings.map((warning) => `warning: ${warning}`)]
    return lines.length === 0 ? [] : [`${printable(name)}\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`]
  })
  const certainty = `Any wrong verdict among the gates that block has a probability of at most ${formatScore(alpha)}.`
  const end = `${tone(toneOf(verdict), verdict)}: ${printable(message)}\n${certainty}\n`
  const calls = askedSentence(asked)
  if (calls !== undefined) return [table, ...details, `${end}${printable(calls)}\n`].join("\n")
  return [table, ...details, end].join("\n")
}
