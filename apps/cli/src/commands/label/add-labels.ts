import { resolve } from "node:path"
import { createInterface } from "node:readline/promises"
import { formatRowToLabel } from "@assay/reports/terminal/evaluations"
import type { LabelsBody } from "@assay/schemas/labels"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import { localFailure, readRegularFile } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { sayText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { openLabels, type LabelOptions, type OpenedLabels } from "./open-labels.ts"

export interface AddLabelsOptions extends JsonOption, LabelOptions {
  readonly metric?: string
  readonly author?: string
  readonly count: number
  readonly seed: number
}

type NewLabel = LabelsBody["labels"][number]

/** Labels that are sent at once. */
const BATCH = 1000

/** `assay label add <job> [file]`: labels of a file, or one after the other on a terminal. */
export async function addLabels(
  context: Context,
  job: string,
  file: string | undefined,
  options: AddLabelsOptions,
): Promise<void> {
  const author = options.author ?? context.env["USER"]
  await using opened = await openLabels(context, job, options)
  const add = async (labels: NewLabel[]) => opened.desk.add({ labels, ...given({ author }) }, context.now())
  // Awaited here: the labels are closed at the end of this function.
  if (file === undefined) return await askForLabels(context, opened, add, options)
  const { labels, empty } = await readSheet(resolve(context.cwd, file), file, options.metric)
  if (labels.length === 0) throw new AssayError("bad_usage", `'${printable(file)}' has no line with a "label".`)
  let added = { fileset: "", added: 0, total: 0 }
  for (let at = 0; at < labels.length; at += BATCH) {
    const { added: count, ...rest } = await add(labels.slice(at, at + BATCH))
    added = { ...rest, added: added.added + count }
  }
  const gaps = empty === 0 ? "" : `; ${empty} lines without a label were left out`
  await print(context, options, { ...added, empty }, () => `added ${added.added} labels to ${added.fileset}${gaps}\n`)
}

/** Reads lines as `label next --out` writes them. @throws `bad_usage` with the line that can't be read */
async function readSheet(path: string, name: string, metric: string | undefined) {
  const text = await readRegularFile(path).catch((error: unknown) => {
    throw localFailure(error, "read", name)
  })
  const rows = text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [{ line, at: at + 1 }]))
  const labels = rows.map(({ line, at }) => readLine(line, `${name}:${at}`, metric))
  const filled = labels.filter((label) => label !== undefined)
  return { labels: filled, empty: labels.length - filled.length }
}

function readLine(line: string, place: string, given: string | undefined): NewLabel | undefined {
  const bad = (what: string) => new AssayError("bad_usage", `${printable(place)}: ${what}`)
  let value: Readonly<Record<string, unknown>>
  try {
    value = JSON.parse(line) as typeof value
  } catch {
    throw bad("the line is not JSON; keep one row on each line.")
  }
  const { task, row_index, repeat = 0, metric = given, label, probability = null, note } = value
  if (label === null || label === undefined) return undefined
  const number = labelOf(label)
  if (number === undefined)
    throw bad(`"label" is ${printable(JSON.stringify(label))}; write a number, or true and false.`)
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

function labelOf(value: unknown): number | undefined {
  if (typeof value === "boolean") return Number(value)
  if (typeof value === "string" && value.trim() !== "")
    return WORDS[value.trim().toLowerCase()] ?? labelOf(Number(value))
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

const HELP =
  "Type y or n, or a number on the scale of the score; words after it are a note. q ends. Each label is kept at once.\n"

async function askForLabels(
  context: Context,
  { desk }: OpenedLabels,
  add: (labels: NewLabel[]) => Promise<unknown>,
  { metric, count: limit, seed }: AddLabelsOptions,
): Promise<void> {
  const { stdin, stderr, signal } = context
  if (metric === undefined)
    throw new AssayError("bad_usage", "--metric names the score that you label, such as --metric helpful.")
  const { data, labelled } = await desk.queue(metric, { by: "random", seed, limit })
  sayText(stderr, HELP)
  const lines = createInterface({ input: stdin, terminal: false, signal })
  // Lines of a pipe can arrive before their question: the iterator keeps them.
  const typed = lines[Symbol.asyncIterator]()
  let done = 0
  try {
    for (const row of data) {
      sayText(stderr, `\n${formatRowToLabel(row)}`)
      const answer = await ask(typed, () => sayText(stderr, `${done + 1}/${data.length} label> `))
      signal.throwIfAborted()
      if (answer === undefined) break
      const { task, row_index, repeat, probability } = row
      await add([{ task, row_index, repeat, probability, metric, ...answer }])
      done += 1
    }
  } finally {
    lines.close()
  }
  sayText(stderr, `\n${done} labels added, ${labelled + done} in all; next: assay label report\n`)
}

/** Asks until the answer is a label. Undefined if the user, or the input, ends. */
async function ask(typed: AsyncIterator<string>, sayQuestion: () => void) {
  for (;;) {
    sayQuestion()
    const { value, done } = await typed.next()
    if (done === true || /^\s*q(uit)?\s*$/iu.test(value)) return undefined
    const [first = "", ...words] = value.trim().split(/\s+/u)
    const label = labelOf(first)
    if (label !== undefined) return { label, ...(words.length === 0 ? {} : { note: words.join(" ") }) }
  }
}
