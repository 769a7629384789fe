import { correctMean } from "@assay/metrics"
import { printable } from "@assay/schemas"
import { valueText } from "@assay/scoring"
import type { FoundColumn } from "./find-roles.ts"
import { type FlatRow, numberOfValue } from "./read-columns.ts"
import type { ResultQuestion } from "./result-question.ts"
import { judgeAgreement } from "./judge-agreement.ts"
import { columnsOf, valuesOf } from "./result-rows.ts"

const MIN_LABELS = 10
/** Groups of rows that are answered for. */
const MAX_GROUPS = 20
const QUESTION = "corrected mean of the judge"
const AGREEMENT = "agreement of the judge with people"

/**
 * Measures the agreement of the first score with the labels of some rows, and corrects its mean by them: for each model and each judge alone, if columns name several. A judge errs
 * differently about each model, so a mean over all of them is about none.
 */
export function correctedMeans(rows: readonly FlatRow[], found: readonly FoundColumn[]): readonly ResultQuestion[] {
  const [score] = columnsOf(found, "score")
  const [label] = columnsOf(found, "label")
  if (score === undefined || label === undefined) {
    const text =
      score === undefined
        ? "a column 'score' of the judge, and a column 'label' of people"
        : "a column 'label' of people"
    return [{ question: QUESTION, canAnswer: false, text: `missing: ${text}` }]
  }
  const columns = (["model", "judge"] as const)
    .flatMap((role) => columnsOf(found, role))
    .filter((column) => valuesOf(rows, column).length >= 2)
  const groups = groupRows(rows, columns)
  const answered = [...groups].slice(0, MAX_GROUPS).flatMap(([name, own]) => [
    { question: `${AGREEMENT}${name}`, ...judgeAgreement(own, score, label) },
    { question: `${QUESTION}${name}`, ...correction(own, score, label) },
  ])
  if (groups.size <= MAX_GROUPS) return answered
  const text = `the file has ${groups.size} groups; split it for the others`
  return [...answered, { question: `${QUESTION} of ${groups.size - MAX_GROUPS} more groups`, canAnswer: false, text }]
}

/** Returns the rows by the values of columns, in words that follow the question. */
function groupRows(rows: readonly FlatRow[], columns: readonly string[]): ReadonlyMap<string, readonly FlatRow[]> {
  const groups = new Map<string, FlatRow[]>()
  for (const row of rows) {
    const names = columns.map((column) => {
      const value = valueText(row.get(column) ?? "")
      return `, ${printable(column)} ${value === "" ? "unnamed" : `'${printable(value)}'`}`
    })
    const name = names.join("")
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}

function correction(rows: readonly FlatRow[], score: string, label: string): Omit<ResultQuestion, "question"> {
  const scored = rows.flatMap((row) => {
    const value = numberOfValue(row.get(score))
    return value === undefined ? [] : [{ score: value, label: numberOfValue(row.get(label)) }]
  })
  const labelled = scored.flatMap(({ score: own, label: people }) =>
    people === undefined ? [] : [{ score: own, label: people }],
  )
  if (labelled.length < MIN_LABELS)
    return { canAnswer: false, text: `missing: ${MIN_LABELS} rows with a label; there are ${labelled.length}` }
  const mean = scored.reduce((sum, one) => sum + one.score, 0) / scored.length
  const { corrected, interval, people } = correctMean(labelled, { rows: scored.length, mean })
  const range = interval === null ? "no interval" : `${shown(interval.low)} to ${shown(interval.high)}`
  const text = `${shown(corrected)}, ${range} (judge alone ${shown(mean)}, ${labelled.length} labels alone ${shown(people)}), if the labelled rows were drawn at random`
  return { canAnswer: true, text }
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)))
}
