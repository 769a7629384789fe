import type { EvaluationRow } from "@assay/schemas"
import { createConditionTally } from "./condition-tally.ts"
import { formatShare, type Found } from "./unreadable-tally.ts"

/** The share of answers that end at the token limit from which on it is a condition. */
const TRUNCATED_SHARE = 0.1

/** Answers of the target that were cut off by `max_tokens`, by task. */
export interface TruncationTally {
  addRow(row: EvaluationRow): void
  conditions(): readonly Found[]
}

export function createTruncationTally(now: () => number): TruncationTally {
  const tasks = new Map<string, { answers: number; readonly cut: ReturnType<typeof createConditionTally> }>()
  return {
    addRow({ task, row_index, sample }) {
      if (sample === null) return
      const tally = tasks.get(task) ?? { answers: 0, cut: createConditionTally("output_truncated") }
      tasks.set(task, tally)
      tally.answers += 1
      if (sample.finish_reason !== "length") return
      const text = sample.output_text ?? ""
      const line = text.trim() === "" ? "an empty answer" : `… ${text.trim().slice(-200)}`
      tally.cut.add(
        { code: "output_truncated", message: line },
        { at: now(), place: `row ${row_index}`, lines: [line], isRow: true },
      )
    },
    conditions: () =>
      [...tasks]
        .filter(([, { answers, cut }]) => cut.count() > 0 && cut.count() / answers >= TRUNCATED_SHARE)
        .map(([task, { answers, cut }]) => {
          const share = formatShare(cut.count() / answers)
          const message = `${cut.count()} of ${answers} answers for task '${task}' (${share}) end at the token limit (finish_reason length).`
          return { condition: cut.condition(() => message), firstSeen: cut.firstSeen() }
        }),
  }
}
