import { digestNumber } from "../rows/output-digest.ts"
import { invalidRequest, type LabelRow, type LabelsBody } from "@assay/schemas"
import { type DrawnBy, formatDraw, parseDraw } from "../row-index/labels/draw-name.ts"
import { isPairDrawOf } from "../row-index/labels/pair-draw-id.ts"
import type { JudgedJob } from "./label-desk.ts"
import { formatScale, isOnScale, labelQuestion } from "./label-question.ts"

type NewLabel = LabelsBody["labels"][number]

/** A label and the digest of its row. */
export interface LabelOfRow {
  readonly label: NewLabel
  readonly digest: string
}

/** The fields of a label that are stored besides its row. */
export type AcceptedLabel = Pick<LabelRow, "metric" | "label" | "probability" | "draw">

/** How ids of draws of two jobs begin. */
const PAIR_DRAW = "pairs-"
/** How far a probability may differ that a client sends back. */
const ROUNDING = 1e-6

/**
 * Looks up what the labels need: the names of scores, their scales, and the probabilities that the job issues for drawn rows.
 * @throws `invalid_request` for an unknown score, and from `of` for a label that is not on the scale, a draw of another job or score, a row that was not
 *   drawn, and a probability that was not issued
 */
export async function createLabelAcceptance(
  job: Pick<JudgedJob, "id" | "config" | "judged" | "issued">,
  rows: readonly LabelOfRow[],
): Promise<{ readonly of: (label: NewLabel, digest: string) => AcceptedLabel }> {
  const scores = new Map<string, { readonly name: string; readonly question: ReturnType<typeof labelQuestion> }>()
  for (const metric of new Set(rows.map(({ label }) => label.metric))) {
    const judged = await job.judged(metric, new Map())
    scores.set(metric, { name: judged.score, question: labelQuestion(job.config, judged.score, judged) })
  }
  const issued = new Map<string, ReadonlyMap<number, number | undefined>>()
  for (const [key, drawn] of Map.groupBy(rows, ({ label }) => `${drawOf(label) ?? ""} ${label.metric}`)) {
    const [first] = drawn
    const by = first === undefined ? undefined : drawOf(first.label)
    if (first === undefined || by === undefined) continue
    const digests = drawn.map(({ digest }) => digestNumber(digest))
    const found = await job.issued({ score: first.label.metric, by, digests })
    issued.set(key, new Map(digests.map((digest, at) => [digest, found[at]])))
  }
  return {
    of(label, digest) {
      const { metric, draw = null, withdrawn } = label
      if (withdrawn === true && label.label !== null) {
        const message = `The label of row ${label.row_index} is taken back and has a value; give "label": null.`
        throw invalidRequest(["body", "labels"], message, "value_error", label.label)
      }
      const { name = metric, question } = scores.get(metric) ?? {}
      if (question !== undefined && label.label !== null && !isOnScale(label.label, question)) {
        const message = `The label ${label.label} of row ${label.row_index} is not on the scale of '${name}'; give ${formatScale(question)}.`
        throw invalidRequest(["body", "labels"], message, "value_error", label.label)
      }
      const by = drawOf(label)
      // The order of a draw of two jobs says how likely its rows are. For this job alone, they are not a sample.
      const pairDraw = draw?.startsWith(PAIR_DRAW) === true ? draw : null
      checkDraw(label, { job: job.id, score: name })
      if (by === undefined) return { metric: name, label: label.label, probability: null, draw: pairDraw }
      const probability = issued.get(`${by} ${metric}`)?.get(digestNumber(digest))
      if (probability === undefined) {
        const message = `Row ${label.row_index} has no score '${name}', so it was not drawn; send its label without "draw".`
        throw invalidRequest(["body", "labels"], message, "value_error", draw)
      }
      checkIssued(label, probability)
      return { metric: name, label: label.label, probability, draw }
    },
  }
}

/** Returns how the row of a label was drawn; undefined if somebody picked it. */
function drawOf({ draw = null, probability = null }: NewLabel): DrawnBy | undefined {
  if (draw !== null) return parseDraw(draw)?.by
  // Clients of older versions send the probability and no draw.
  if (probability === null) return undefined
  return probability === 1 ? "random" : "uncertainty"
}

/** Checks that the queue of this job and score issued the draw. */
function checkDraw(
  { draw = null, row_index: row }: NewLabel,
  issuer: { readonly job: string; readonly score: string },
): void {
  if (draw === null || isIssued(draw, issuer)) return
  const message = `The draw '${draw}' of row ${row} was not issued for '${issuer.score}' of job '${issuer.job}'; send the id in "draw" of the queue of this job, or no draw if you picked the row.`
  throw invalidRequest(["body", "labels"], message, "value_error", draw)
}

function isIssued(draw: string, issuer: { readonly job: string; readonly score: string }): boolean {
  if (draw.startsWith(PAIR_DRAW)) return isPairDrawOf(draw, issuer)
  const parsed = parseDraw(draw)
  return parsed !== undefined && draw === formatDraw({ ...parsed, ...issuer })
}

function checkIssued({ probability = null, row_index: row }: NewLabel, issued: number): void {
  if (probability === null || Math.abs(probability - issued) <= ROUNDING * issued) return
  const message = `The probability ${probability} of row ${row} is not the one that its draw has, which is ${issued}; send "draw", as the queue says, and no probability.`
  throw invalidRequest(["body", "labels"], message, "value_error", probability)
}
