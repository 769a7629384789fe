import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"

/** An answer that a key gives. */
export interface LabelChoice {
  readonly words: string
  /** Null: unsure. */
  readonly label: number | null
  readonly key: string
}

/** Keys that choose by position. */
const MAX_NUMBERED = 9

/**
 * Returns the answers with their keys: those of the rubric in its order, or the whole numbers of a short scale, by 1 to 9; `y` and `n` if the judge
 * says yes and no; and `u` for unsure.
 */
export function labelChoices({ rubric, low, high, yes, no }: LabelQuestion): readonly LabelChoice[] {
  const isWord = (value: number) => value === yes || value === no
  const words =
    rubric.length > 0
      ? rubric.map(({ label, value }, index) => ({ words: label, label: value, key: keyAt(index) }))
      : wholeNumbers(low, high)
          .filter((value) => !isWord(value))
          .map((value, index) => ({
            words: formatScore(value),
            label: value,
            key: keyAt(low === 0 ? index : value - 1),
          }))
  // A word of the rubric that means yes or no has both keys.
  const named = (label: number | null) => words.some((word) => word.label === label)
  return [
    ...(yes === null || named(yes) ? [] : [{ words: "Yes", label: yes, key: "y" }]),
    ...(no === null || named(no) ? [] : [{ words: "No", label: no, key: "n" }]),
    ...words,
    { words: "Unsure", label: null, key: "u" },
  ]
}

/** Returns the label that a key gives; undefined for a key without a meaning. */
export function labelOfKey(key: string, question: LabelQuestion): number | null | undefined {
  if (key === "y") return question.yes ?? undefined
  if (key === "n") return question.no ?? undefined
  return labelChoices(question).find((choice) => choice.key === key && key !== "")?.label
}

function keyAt(index: number): string {
  return index < MAX_NUMBERED ? String(index + 1) : ""
}

/** Returns the whole numbers of a scale that has at most nine of them. */
function wholeNumbers(low: number | null, high: number | null): readonly number[] {
  if (low === null || high === null || !Number.isInteger(low) || !Number.isInteger(high)) return []
  const count = high - low + 1
  return count < 1 || count > MAX_NUMBERED ? [] : Array.from({ length: count }, (_, step) => low + step)
}
