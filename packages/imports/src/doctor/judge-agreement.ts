import { clopperPearsonInterval, pairAgreement, type PairAgreement, rankCorrelation } from "@assay/metrics"
import { positionOf, type FoundColumn } from "./find-roles.ts"
import { type FlatRow, numberOfValue } from "./read-columns.ts"
import type { ResultQuestion } from "./result-question.ts"
import { columnsOf, lengthOf } from "./result-rows.ts"

const MIN_ROWS = 5

type Answer = Omit<ResultQuestion, "question">

/** Measures how far the first score agrees with the labels of people: kappa and nominal alpha for two values, alpha for numbers of a scale. */
export function judgeAgreement(rows: readonly FlatRow[], score: string, label: string): Answer {
  const pairs = rows.flatMap((row) => {
    const [judge, people] = [numberOfValue(row.get(score)), numberOfValue(row.get(label))]
    return judge === undefined || people === undefined ? [] : [[judge, people] as const]
  })
  if (pairs.length < MIN_ROWS)
    return { canAnswer: false, text: `missing: ${MIN_ROWS} rows with a score and a label; there are ${pairs.length}` }
  const isNominal = new Set(pairs.flat()).size <= 2
  return { canAnswer: true, text: agreementText(pairAgreement(pairs, { level: isNominal ? "nominal" : "interval" })) }
}

function agreementText({ kappa, kappa_interval, alpha, alpha_interval, rows, same }: PairAgreement): string {
  const counted = `${rows} labels, ${same} equal`
  if (alpha === null) return `${counted}; all have one value, so that nothing shows how the judge decides`
  const parts = [
    ...(kappa === null ? [] : [`kappa ${ranged(kappa, kappa_interval)}`]),
    `alpha ${ranged(alpha, alpha_interval)}`,
  ]
  return `${parts.join(", ")} (${counted})`
}

/** Returns how far the first score rises with the length of answers; with labels, without what they explain. Empty without lengths. */
export function lengthCorrelation(rows: readonly FlatRow[], found: readonly FoundColumn[]): string {
  const [score] = columnsOf(found, "score")
  const [label] = columnsOf(found, "label")
  if (score === undefined) return ""
  const known = rows.flatMap((row) => {
    const [verdict, length] = [numberOfValue(row.get(score)), lengthOf(row, found)]
    if (verdict === undefined || length === undefined) return []
    return [{ verdict, length, label: label === undefined ? undefined : numberOfValue(row.get(label)) }]
  })
  const labelled = known.filter((one) => one.label !== undefined)
  const all = rankCorrelation(
    known.map(({ verdict }) => verdict),
    known.map(({ length }) => length),
  )
  const given = rankCorrelation(
    labelled.map(({ verdict }) => verdict),
    labelled.map(({ length }) => length),
    { given: labelled.flatMap((one) => one.label ?? []) },
  )
  if (all.correlation === null) return ""
  const beyond = given.correlation === null ? "" : `, beyond labels ${ranged(given.correlation, given.interval)}`
  return `correlation ${ranged(all.correlation, all.interval)}${beyond}; `
}

/** Returns how often the first of two answers wins, among rows that are not a tie. */
export function firstWins(rows: readonly FlatRow[], column: string): string {
  const positions = rows.flatMap((row) => positionOf(row.get(column)) ?? [])
  const first = positions.filter((one) => one === 1).length
  const decided = positions.filter((one) => one !== 0.5).length
  return decided === 0
    ? ""
    : `the first wins ${ranged(first / decided, clopperPearsonInterval(first, decided))} of ${decided}; `
}

function ranged(value: number, interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? shown(value) : `${shown(value)}, ${shown(interval.low)} to ${shown(interval.high)}`
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)))
}
