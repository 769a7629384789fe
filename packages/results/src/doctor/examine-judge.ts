import { clopperPearsonInterval, measureRate, pairAgreement, rankCorrelation } from "@assay/metrics"
import type { JudgeReport, LabelReport, LabelRow } from "@assay/schemas"
import { labelsByAuthor } from "../labels/people-labels.ts"
import { concludeJudge } from "./conclude-judge.ts"
import type { Verdict, Verdicts } from "./read-verdicts.ts"

export interface JudgeToExamine {
  /** `metric.score` */
  readonly score: string
  readonly model: string | null
  readonly verdicts: Verdicts
  /** The labels of people for the rows. Labels of other rows and scores are left out. */
  readonly labels: readonly LabelRow[]
  /** The judge corrected by those labels that were drawn. Undefined: there are none. */
  readonly correction: Pick<LabelReport, "judge" | "corrected" | "labels" | "picked" | "labels_missing"> | undefined
  readonly isNominal: boolean
  /** The lowest and the highest possible label, as far as they are known. */
  readonly scale: { readonly low: number | null; readonly high: number | null }
  /** Further verdicts about the same outputs. */
  readonly repeats?: readonly (readonly Verdict[])[]
  /** Verdicts about the same rows with their two answers in the other order. */
  readonly swapped?: readonly Verdict[] | undefined
}

/** Examines the judge of a score: agreement, biases, flips, and what follows. */
export function examineJudge(judge: JudgeToExamine): JudgeReport {
  const { model, verdicts: read, labels, score, correction, isNominal } = judge
  const { verdicts } = read
  const seen = verdicts.map(({ value }) => value)
  const given = peopleByRow(labels, score, verdicts)
  const scale = scaleOf(judge, [...seen, ...given.flatMap(({ labels: own }) => own)])
  const level = isNominal ? ("nominal" as const) : ("interval" as const)
  const rated = given.flatMap(({ verdict, labels: own }) => {
    const people = isNominal ? mostFrequent(own) : own.reduce((sum, one) => sum + one, 0) / own.length
    return people === undefined ? [] : [{ verdict, people }]
  })
  const agreement =
    rated.length === 0
      ? null
      : pairAgreement(
          rated.map(({ verdict, people }) => [verdict.value, people]),
          { level, scale },
        )
  const findings = {
    agreement,
    people: peopleAgreement(given, level, scale),
    difference: differenceOf(correction),
    length: lengthBias(verdicts, rated),
    position: positionOf(read, judge.swapped),
    flips: flipsOf([verdicts, ...(judge.repeats ?? [])]),
  }
  const errors = rated.map(({ verdict, people }) => verdict.value - people)
  const facts = { findings, correction, errors, scale, rows: verdicts.length }
  return { model, rows: verdicts.length, level, ...findings, ...concludeJudge(facts) }
}

/** A row that people labelled. */
interface LabelledVerdict {
  readonly verdict: Verdict
  /** The last label of each author. */
  readonly labels: readonly number[]
  readonly authors: readonly (string | null)[]
}

/** Returns the rows with labels in the order of the labels, each with its first verdict. */
function peopleByRow(
  rows: readonly LabelRow[],
  score: string,
  verdicts: readonly Verdict[],
): readonly LabelledVerdict[] {
  const first = new Map<number, Verdict>()
  for (const verdict of verdicts) if (!first.has(verdict.digest)) first.set(verdict.digest, verdict)
  return [...labelsByAuthor(rows, score)].flatMap(([digest, last]) => {
    const verdict = first.get(digest)
    const given = [...last].flatMap(([author, { label }]) => (label === null ? [] : [{ author, label }]))
    if (verdict === undefined || given.length === 0) return []
    return [{ verdict, labels: given.map(({ label }) => label), authors: given.map(({ author }) => author) }]
  })
}

/** Returns the value that most people gave; undefined if several are as frequent. */
function mostFrequent(values: readonly number[]): number | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length)
  const [first, second] = counts
  return first === undefined || first[1].length === second?.[1].length ? undefined : first[0]
}

type Level = JudgeReport["level"]
type Scale = readonly [low: number, high: number]

function scaleOf({ scale: { low, high } }: JudgeToExamine, seen: readonly number[]): Scale {
  const least = seen.reduce((found, value) => Math.min(found, value), low ?? Infinity)
  const most = seen.reduce((found, value) => Math.max(found, value), high ?? -Infinity)
  return [least, most]
}

/** Measures how far people agree, by the first two authors of each row. */
function peopleAgreement(given: readonly LabelledVerdict[], level: Level, scale: Scale): JudgeReport["people"] {
  const authors = [...new Set(given.flatMap(({ authors: own }) => own))]
  const pairs = given.flatMap(({ labels, authors: own }) => {
    const ordered = labels
      .map((label, at) => ({ label, author: authors.indexOf(own[at] ?? null) }))
      .toSorted((a, b) => a.author - b.author)
    const [one, other] = ordered
    return one === undefined || other === undefined ? [] : [[one.label, other.label] as const]
  })
  if (pairs.length === 0) return null
  const counted = new Set(given.flatMap(({ authors: own }) => (own.length > 1 ? own : [])))
  return { ...pairAgreement(pairs, { level, scale }), authors: counted.size }
}

function differenceOf(correction: JudgeToExamine["correction"]): JudgeReport["difference"] {
  const { judge = null, corrected = null } = correction ?? {}
  if (judge === null || corrected === null) return null
  const { mean, interval } = corrected
  return {
    mean: judge.mean - mean,
    interval: interval && { ...interval, low: judge.mean - interval.high, high: judge.mean - interval.low },
  }
}

interface RatedVerdict {
  readonly verdict: Verdict
  readonly people: number
}

function lengthBias(verdicts: readonly Verdict[], rated: readonly RatedVerdict[]): JudgeReport["length"] {
  const known = verdicts.filter(({ length }) => !Number.isNaN(length))
  if (known.length === 0) return null
  const labelled = rated.filter(({ verdict }) => !Number.isNaN(verdict.length))
  const all = rankCorrelation(
    known.map(({ value }) => value),
    known.map(({ length }) => length),
  )
  const given_labels =
    labelled.length === 0
      ? null
      : rankCorrelation(
          labelled.map(({ verdict }) => verdict.value),
          labelled.map(({ verdict }) => verdict.length),
          { given: labelled.map(({ people }) => people) },
        )
  return { ...all, given_labels }
}

/** Measures position bias. A judge that saw both orders in two questions is like one that sees both in one: only verdicts that contradict themselves count. */
function positionOf({ verdicts, basis }: Verdicts, swapped: readonly Verdict[] = []): JudgeReport["position"] {
  if (basis === null) return null
  const other = new Map(swapped.map(({ digest, first }) => [digest, first]))
  if (basis === "both_orders" || other.size === 0) return { basis, ...positionBias(verdicts) }
  const both = verdicts.flatMap((verdict) => {
    const second = other.get(verdict.digest) ?? Number.NaN
    return Number.isNaN(second) ? [] : [{ ...verdict, first: verdict.first === second ? second : 0.5 }]
  })
  return { basis: "both_orders", ...positionBias(both) }
}

function positionBias(verdicts: readonly Verdict[]): Omit<NonNullable<JudgeReport["position"]>, "basis"> {
  const rows = verdicts.filter(({ first }) => !Number.isNaN(first))
  const first = rows.filter((one) => one.first === 1).length
  const second = rows.filter((one) => one.first === 0).length
  const { low, high } = clopperPearsonInterval(first, first + second)
  return { rows: rows.length, first, second, share: first + second === 0 ? null : first / (first + second), low, high }
}

/** Counts the outputs with different verdicts among those that were judged more than once. */
function flipsOf(all: readonly (readonly Verdict[])[]): JudgeReport["flips"] {
  const byDigest = new Map<number, { readonly value: number; times: number; isFlipped: boolean }>()
  for (const verdicts of all) {
    for (const { digest, value } of verdicts) {
      const known = byDigest.get(digest)
      if (known === undefined) byDigest.set(digest, { value, times: 1, isFlipped: false })
      else {
        known.times++
        known.isFlipped ||= value !== known.value
      }
    }
  }
  const judged = [...byDigest.values()].filter(({ times }) => times > 1)
  if (judged.length === 0) return null
  const { count, n, rate, low, high } = measureRate(judged.filter(({ isFlipped }) => isFlipped).length, judged.length)
  return { rows: n, flipped: count, flip_rate: rate, low, high }
}
