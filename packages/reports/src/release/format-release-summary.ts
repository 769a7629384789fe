import type { ReleaseReport } from "@assay/schemas"
import { markdownCode, markdownTable, markdownText } from "../markdown/markdown.ts"
import { formatScore } from "../text/format-number.ts"
import { askedSentence, gateSentence, gatesOf, quarantineSentence } from "./gate-sentence.ts"

const SIGNS = { PASS: "✅", FAIL: "❌", INCONCLUSIVE: "⚠️", MISSING: "❌" } as const
/** A policy with thousands of gates does not fit into the summary of a step. */
const MAX_LINES = 200

/** GitHub refuses a summary of a step that is larger. */
const MAX_BYTES = 1024 * 1024

/**
 * Formats the outcome of a release policy as Markdown, for the summary of a CI step or a comment. Names are escaped. Without room for the lines of gates, and then for the
 * table, they are left out.
 */
export function formatReleaseSummary(
  { verdict, alpha, message, evaluations, asked }: ReleaseReport,
  { maxBytes = MAX_BYTES }: { readonly maxBytes?: number } = {},
): string {
  const table = markdownTable(
    [{ heading: "Evaluation" }, { heading: "Tier" }, { heading: "State" }, { heading: "Gates" }],
    evaluations.map((one) => [
      markdownCode(one.name),
      one.tier,
      `${SIGNS[one.state]} ${one.state}`,
      markdownText(gatesOf(one)),
    ]),
  )
  const lines = evaluations.flatMap(({ name, gates, warnings }) =>
    [
      ...gates.flatMap((gate) => [gateSentence(gate), quarantineSentence(gate)].filter((line) => line !== undefined)),
      ...warnings.map((warning) => `Warning: ${warning}`),
    ].map((line) => `- ${markdownCode(name)}: ${markdownText(line)}\n`),
  )
  const left = lines.length - MAX_LINES
  const more = left > 0 ? `- ${left} more lines are left out.\n` : ""
  const certainty = `Any wrong verdict among the gates that block has a probability of at most ${formatScore(alpha)}.`
  const calls = askedSentence(asked)
  const head = `## ${SIGNS[verdict]} Release: ${verdict}\n\n${markdownText(calls === undefined ? message : `${message} ${calls}`)}\n`
  const ofGates = `${lines.slice(0, MAX_LINES).join("")}${more}\n${certainty}\n`
  const forms = [[head, table, ofGates], [head, table], [head]].map((parts) => parts.join("\n"))
  return forms.find((form) => new TextEncoder().encode(form).length <= maxBytes) ?? ""
}
