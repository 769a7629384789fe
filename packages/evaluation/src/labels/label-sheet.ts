import { AssayError } from "@assay/schemas"
import type { LabelQueue, LabelsBody } from "@assay/schemas/labels"
import { printable } from "@assay/schemas/printable"

type NewLabel = LabelsBody["labels"][number]

/** Formats rows as lines of JSON in which people fill in `label`. The judge's score is not written: it would lead people. */
export function formatLabelSheet({ data, metric }: LabelQueue): string {
  return data
    .map(({ task, row_index, repeat, item, output, probability }) => {
      return `${JSON.stringify({ task, row_index, repeat, metric, item, output, label: null, probability })}\n`
    })
    .join("")
}

/** The labels that people wrote into a sheet. */
export interface LabelSheet {
  readonly labels: readonly NewLabel[]
  /** How many lines have no label. */
  readonly empty: number
}

/**
 * Parses the lines of a sheet.
 * @param name the file as messages call it
 * @param metric the score of lines that name none
 * @throws `bad_document` with the line that can't be read
 */
export function parseLabelSheet(text: string, name: string, metric: string | undefined): LabelSheet {
  const lines = text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [{ line, place: `${name}:${at + 1}` }]))
  const labels = lines.flatMap(({ line, place }) => parseLine(line, place, metric) ?? [])
  return { labels, empty: lines.length - labels.length }
}

function parseLine(line: string, place: string, given: string | undefined): NewLabel | undefined {
  const bad = (what: string) => new AssayError("bad_document", `${printable(place)}: ${what}`)
  let value: Readonly<Record<string, unknown>>
  try {
    value = JSON.parse(line) as typeof value
  } catch {
    throw bad("the line is not JSON; keep one row on each line.")
  }
  const { task, row_index, repeat = 0, metric = given, label, probability = null, note } = value ?? {}
  if (label === null || label === undefined) return undefined
  const number = parseLabel(label)
  if (number === undefined) {
    throw bad(`"label" is ${printable(JSON.stringify(label))}; write a number, or true and false.`)
  }
  if (typeof task !== "string" || !Number.isInteger(row_index)) throw bad('it needs "task" and "row_index".')
  if (typeof metric !== "string") throw bad('it has no "metric"; add --metric.')
  const isDrawn = typeof probability === "number" && probability > 0
  return {
    task,
    row_index: Number(row_index),
    repeat: Number(repeat),
    metric,
    label: number,
    probability: isDrawn ? probability : null,
    ...(typeof note === "string" ? { note } : {}),
  }
}

const WORDS: Readonly<Record<string, number>> = { y: 1, yes: 1, true: 1, n: 0, no: 0, false: 0 }

/** Returns the number that somebody means: a number, true and false, or yes and no. Undefined for anything else. */
export function parseLabel(value: unknown): number | undefined {
  if (typeof value === "boolean") return Number(value)
  if (typeof value === "string" && value.trim() !== "") {
    return WORDS[value.trim().toLowerCase()] ?? parseLabel(Number(value))
  }
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}
