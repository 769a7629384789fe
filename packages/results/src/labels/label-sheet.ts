import { isObject } from "@assay/json"
import { AssayError, type LabelQuestion, type LabelQueue, type LabelsBody, printable } from "@assay/schemas"
import { formatScale, labelScale, parseLabel } from "./label-question.ts"

type NewLabel = LabelsBody["labels"][number]

/** The word in a sheet for a row whose author is not sure. */
const UNSURE = "unsure"

/** Returns what people are asked for a score. */
export type QuestionOf = (metric: string) => Promise<LabelQuestion>

/** The rows of a queue. Those of a queue of two jobs say of which one they are. */
type SheetRows = Pick<LabelQueue, "metric" | "draw"> & {
  readonly data: readonly (Pick<LabelQueue["data"][number], "task" | "row_index" | "repeat" | "item" | "output"> & {
    readonly job?: string
  })[]
}

/** Formats rows as lines of JSON in which people fill in `label`. The judge's score is not written: it would lead people. */
function formatLabelSheet({ data, metric, draw }: SheetRows): string {
  return data
    .map(({ job, task, row_index, repeat, item, output }) => {
      return `${JSON.stringify({ job, task, row_index, repeat, metric, item, output, label: null, draw })}\n`
    })
    .join("")
}

/** The labels that people wrote into a sheet. */
export interface LabelSheet {
  readonly labels: readonly NewLabel[]
  /** How many lines have no label. */
  readonly empty: number
  /** How many lines are rows of another job. */
  readonly elsewhere: number
}

export interface SheetOptions {
  /** The file as messages call it. */
  readonly name: string
  /** The id of the job: lines of a sheet of two jobs that name the other one are left out. */
  readonly job: string
  /** The score of lines that name none. */
  readonly metric: string | undefined
  readonly questionOf: QuestionOf
}

/**
 * Parses the lines of a sheet. Words are read as the judge means them.
 * @throws `bad_document` with the line that can't be read
 */
export async function parseLabelSheet(
  text: string,
  { name, job, metric, questionOf }: SheetOptions,
): Promise<LabelSheet> {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [{ line, location: `${printable(name)}:${at + 1}` }]))
  const questions = new Map<string, LabelQuestion>()
  const labels: NewLabel[] = []
  let elsewhere = 0
  for (const { line, location } of lines) {
    const parsed = parseLine(line, location, metric)
    if (parsed === undefined) continue
    const { job: named = job, ...found } = parsed
    if (named !== job) elsewhere++
    if (named !== job) continue
    const question = questions.get(found.metric) ?? (await questionOf(found.metric))
    questions.set(found.metric, question)
    const label = found.label === UNSURE ? null : parseLabel(found.label, question)
    if (label === undefined) {
      const message = `${location}: "label" is ${printable(JSON.stringify(found.label))}; write ${formatScale(question)}, or "${UNSURE}".`
      throw new AssayError("bad_document", message)
    }
    labels.push({ ...found, label })
  }
  return { labels, empty: lines.length - labels.length - elsewhere, elsewhere }
}

type SheetLine = Omit<NewLabel, "label"> & { readonly label: unknown; readonly job?: string }

function parseLine(line: string, location: string, given: string | undefined): SheetLine | undefined {
  const bad = (what: string) => new AssayError("bad_document", `${location}: ${what}`)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw bad("the line is not JSON; keep one row on each line.")
  }
  if (!isObject(value)) throw bad("the line is not a row; keep the lines of 'assay label next'.")
  const { task, row_index, repeat = 0, metric = given, label, draw, probability, note, job } = value
  if (label === null || label === undefined) return undefined
  if (typeof task !== "string" || !Number.isInteger(row_index)) throw bad('it needs "task" and "row_index".')
  if (!Number.isInteger(repeat)) throw bad('"repeat" is not a whole number.')
  if (typeof metric !== "string") throw bad('it has no "metric"; add --metric.')
  return {
    task,
    row_index: Number(row_index),
    repeat: Number(repeat),
    metric,
    label,
    ...(typeof draw === "string" ? { draw } : {}),
    // Sheets of older versions have the probability and no draw.
    ...(typeof draw !== "string" && typeof probability === "number" ? { probability } : {}),
    ...(typeof note === "string" ? { note } : {}),
    ...(typeof job === "string" ? { job } : {}),
  }
}

/** A file in which people fill in labels, and the labels that are possible. */
export const labelSheet = Object.freeze({ format: formatLabelSheet, parse: parseLabelSheet, scale: labelScale })
