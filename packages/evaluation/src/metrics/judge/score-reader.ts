import { createJudgeScoreParser, type RubricEntry } from "@assay/metrics"
import type { ScoreValue } from "@assay/schemas"
import { scoreValue } from "../metric-definition.ts"
import type { NamedScore } from "./score-definitions.ts"

/** What was read of one score. */
interface ScoreReading {
  readonly value: ScoreValue
  /** Of a rubric. */
  readonly label?: string
}

export interface ScoreReader {
  readonly name: string
  /** Of a rubric. */
  readonly labels?: readonly string[]
  readonly read: (answer: string) => ScoreReading
}

/** @throws `invalid_request` as `createJudgeScoreParser` */
export function scoreReader({ name, definition }: NamedScore): ScoreReader {
  if (definition.type !== "rubric") {
    const parse = createJudgeScoreParser(name, definition)
    return { name, read: (answer) => ({ value: scoreValue(parse(answer)) }) }
  }
  const { rubric = {} } = definition
  const entries = Array.isArray(rubric)
    ? (rubric as readonly RubricEntry[])
    : Object.entries(rubric as Readonly<Record<string, number>>).map(([label, value]) => ({ label, value }))
  // Two labels may be worth the same: the place tells which one it was.
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
