import { resultScores } from "@assay/results"
import { AssayError, type LabelRow } from "@assay/schemas"
import { canonicalJson } from "../canonical-json.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import { planSide, type ReadableSide } from "../sides/plan-side.ts"
import { recountSide } from "../sides/recount-side.ts"
import type { BundleLabels, BundleSide, SideLabels } from "../statement/verdict-statement.ts"
import { addDifferences, createDifferences, type Difference } from "../sides/differences.ts"
import type { SideInput } from "./side-input.ts"

/** Labels of people, and the file or fileset that has them. */
export interface LabelsInput {
  readonly name: string
  readonly rows: readonly LabelRow[]
}

/** Returns the labels that a comparison of these results can use, without notes, as a reader of the statement has them. */
export function labelsOfBundle({ name, rows }: LabelsInput, sides: readonly BundleSide[]): BundleLabels {
  const scores = new Set(
    sides.flatMap(({ result }) => resultScores.list(result).map(({ metric, score }) => `${metric}.${score}`)),
  )
  const used = rows.filter(({ metric }) => scores.has(metric)).map(withoutNote)
  return JSON.parse(canonicalJson({ name, rows: used })) as BundleLabels
}

interface RecountWith {
  readonly sides: readonly ReadableSide[]
  readonly ports: EvidencePorts
}

/**
 * Adds the labels that the metrics of a side name, if its numbers follow from them. Otherwise the side stays as it is, and its corrections are taken as they are.
 */
export async function withLabels(
  given: ReadableSide,
  input: Pick<SideInput, "labels" | "result">,
  { sides, ports }: RecountWith,
): Promise<ReadableSide> {
  for (const labelled of labelledSides(given, input)) {
    const result = await recount(labelled, { sides, ports })
    const differences = createDifferences()
    addDifferences(differences, "result", labelled.side.result, result)
    if (differences.total === 0) return labelled
  }
  return given
}

/**
 * Returns the corrected means of a side that follow from no labels: neither from all, nor from those that were given before its results were written. None if there are no
 * labels to compare with.
 */
export async function correctionDifferences(
  given: ReadableSide,
  input: Pick<SideInput, "labels" | "result">,
  ports: EvidencePorts,
): Promise<readonly Difference[]> {
  let first: readonly Difference[] | undefined
  for (const labelled of labelledSides(given, input)) {
    const counted = resultScores.list(await recount(labelled, { sides: [given], ports }))
    const differences = createDifferences()
    for (const { task, metric, name, found } of resultScores.list(given.side.result)) {
      const same = counted.find((one) => one.task === task && one.metric === metric && one.name === name)
      const place = `result.tasks.${name}.corrected`
      if (found.corrected !== undefined) addDifferences(differences, place, found.corrected, same?.found.corrected)
    }
    if (differences.total === 0) return []
    first ??= differences.list
  }
  return first ?? []
}

/** Returns a side with all labels that its metrics name, and with those from before its results were written. None if nothing is corrected. */
function labelledSides(
  given: ReadableSide,
  { labels = [], result }: Pick<SideInput, "labels" | "result">,
): readonly ReadableSide[] {
  const isCorrected = resultScores.list(given.side.result).some(({ found }) => found.corrected !== undefined)
  if (!isCorrected || labels.length === 0) return []
  const written = Date.parse(result.created_at)
  const before = labels.map((one) => ({
    ...one,
    rows: one.rows.filter(({ created_at: at }) => !(Date.parse(at) > written)),
  }))
  const count = (all: typeof labels) => all.reduce((sum, { rows }) => sum + rows.length, 0)
  const tried = count(before) === count(labels) ? [labels] : [labels, before]
  return tried.map((one) => ({ ...given, side: { ...given.side, labels: labelsOfSide(given.side, one) } }))
}

/** Returns the labels of the scores of metrics that name them. */
function labelsOfSide({ config: { tasks = {} } }: BundleSide, labels: NonNullable<SideInput["labels"]>): SideLabels[] {
  const used = labels.map(({ reference, name, rows }) => {
    const metrics = Object.values(tasks).flatMap(({ metrics: own = {} }) =>
      Object.entries(own).flatMap(([metric, { labels: named }]) => (named === reference ? [`${metric}.`] : [])),
    )
    const own = rows.filter(({ metric }) => metrics.some((start) => metric.startsWith(start)))
    return { reference, name, rows: own.map(withoutNote) }
  })
  return JSON.parse(canonicalJson(used)) as SideLabels[]
}

function withoutNote({ note: _note, ...row }: LabelRow): Omit<LabelRow, "note"> {
  return row
}

async function recount(readable: ReadableSide, { sides, ports }: RecountWith): Promise<BundleSide["result"]> {
  const plan = await planSide(readable, sides, ports)
  try {
    return (await recountSide(readable, plan, ports)).result
  } finally {
    await plan.close()
  }
}

/** The digest of an answer that is known, or can be guessed, names it. */
export function labelsNameTexts(): AssayError {
  const message =
    "A label belongs to the digest of an item and its answer, by which a text can be recognised: make the bundle without --redact, or compare without --corrected."
  return new AssayError("bad_usage", message)
}
