import { createJudgeScoreParser, type RubricEntry } from "@assay/metrics"
import type { ScoreValue } from "@assay/schemas"
import { scoreValue } from "../metric-definition.ts"
import type { NamedScore } from "./score-definitions.ts"

/** The value that was read of one score. */
interface ScoreReading {
  readonly value: ScoreValue
  /** The label, if the score has a rubric. */
  readonly label?: string
}

export interface ScoreReader {
  readonly name: string
  /** The labels of a rubric. */
  readonly labels?: readonly string[]
  readonly read: (answer: string) => ScoreReading
}

/** Creates the reader of a score. @throws `invalid_request` as `createJudgeScoreParser` */
export function scoreReader({ name, definition }: NamedScore): ScoreReader {
  if (definition.type !== "rubric") {
    const parse = createJudgeScoreParser(name, definition)
    return { name, read: (answer) => ({ value: scoreValue(parse(answer)) }) }
  }
  const { rubric = {} } = definition
  const entries = Array.isArray(rubric)
    ? (rubric as readonly RubricEntry[])
    : Object.entries(rubric as Readonly<Record<string, number>>).map(([label, value]) => ({ label, value }))
  // Two labels may have the same value, so the parser returns the position of the label instead.
  const places = entries.map(({ label }, place) => ({ label, value: place }))
  const parse = createJudgeScoreParser(name, { ...definition, rubric: places })
  return {
    name,
    labels: entries.map(({ label }) => label),
    read(answer) {
      const entry = entries[parse(answer)]
      return entry === undefined ? { value: "NaN" } : { value: entry.value, label: entry.label }
    },
  }
}
