import { rowFacts } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import type { PlannedSide } from "../sides/plan-side.ts"

/** Rows without their texts, so that they are counted without being parsed again. */
export interface KeptRows {
  add(row: EvaluationRow): void
  /** Reads the rows in the order in which they were added. */
  readonly read: () => AsyncGenerator<readonly EvaluationRow[], void>
}

/** Rows that are kept, at about 400 bytes each. */
const MAX_KEPT = 250_000
const BATCH = 1000

/** Keeps what the numbers of a plan need of its rows. Undefined: they need texts, or the rows are too many. */
export function keepRows({ tasks }: PlannedSide, count: number): KeptRows | undefined {
  if (count > MAX_KEPT || tasks.some(rowFacts.needTexts)) return undefined
  const fields = [...new Set(tasks.flatMap(rowFacts.fieldsOf))]
  const rows: EvaluationRow[] = []
  return {
    add({ item, sample, judge_answers: _answers, compared_with: _other, ...row }) {
      const kept = fields.length === 0 ? {} : rowFacts.keepFields(item, fields)
      rows.push({ ...row, item: kept, sample: sample && { ...sample, output_text: null, response: null } })
    },
    async *read() {
      for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH)
    },
  }
}
