import { cutLine, formatCount, formatInteger } from "@assay/reports"
import type { RowTally } from "../counting/row-tally.ts"
import type { ContradictoryPrompt } from "../prompts/prompt-copies.ts"

const MAX_NAMED = 3
const MAX_PROMPT = 80

/** Names the first prompts that are labelled safe and unsafe, if there are any. */
export function contradictionNote(prompts: readonly ContradictoryPrompt[]): readonly string[] {
  if (prompts.length === 0) return []
  const named = prompts
    .slice(0, MAX_NAMED)
    .map(
      ({ prompt, rows }) =>
        `"${cutLine(prompt, MAX_PROMPT)}" (row ${rows.safe + 1} safe, row ${rows.unsafe + 1} unsafe)`,
    )
  const more = prompts.length > MAX_NAMED ? `, and ${formatInteger(prompts.length - MAX_NAMED)} more` : ""
  const subject = prompts.length === 1 ? "1 prompt has" : `${formatInteger(prompts.length)} prompts have`
  return [
    `${subject} both labels, so that a judge is wrong about one of them whatever it answers: ${named.join(", ")}${more}. Correct the labels.`,
  ]
}

/** Says how many rows repeat another one. Their answers say nothing new, so rates do not count them. */
export function copiesNote({ count, copies }: Pick<RowTally, "count" | "copies">): readonly string[] {
  if (copies.count === 0) return []
  const repeat = copies.count === 1 ? "repeats" : "repeat"
  const different = formatCount(count - copies.count, "prompt")
  return [
    `${formatCount(copies.count, "row")} of ${formatInteger(count)} ${repeat} the prompt of another row. Each prompt counts once: rates, gates and comparisons are those of ${different}.`,
  ]
}
