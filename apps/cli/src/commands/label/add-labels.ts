import { resolve } from "node:path"
import { createInterface } from "node:readline/promises"
import { labelSheet } from "@assay/results"
import { formatCount, formatLabelQuestion, formatRowToLabel } from "@assay/reports/terminal"
import { type LabelQuestion, type LabelsBody, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { checkNoLfsPointer, localFailure, readRegularFile } from "@assay/storage"
import type { Context } from "../../context.ts"
import { sayText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { scoreToLabel } from "./score-to-label.ts"
import { openLabels, type LabelOptions, type OpenedLabels } from "./open-labels.ts"

export interface AddLabelsOptions extends JsonOption, LabelOptions {
  readonly metric?: string
  readonly author?: string
  readonly limit: number
  readonly seed: number
}

type NewLabel = LabelsBody["labels"][number]

/** Labels that are sent at once. */
const BATCH = 1000

/** Runs `assay label add <job> [file]`: labels of a file, or one after the other on a terminal. */
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
  if (file === undefined) {
    const metric = await scoreToLabel(context, job, options.metric)
    return await askForLabels(context, opened, add, { ...options, metric })
  }
  await checkNoLfsPointer(resolve(context.cwd, file))
  const text = await readRegularFile(resolve(context.cwd, file)).catch((error: unknown) => {
    throw localFailure(error, "read", file)
  })
  const questionOf = async (metric: string) =>
    (await opened.desk.queue(metric, { by: "random", seed: options.seed, limit: 1 })).question
  const sheet = { name: file, job: opened.id, metric: options.metric, questionOf }
  const { labels, empty, elsewhere } = await labelSheet.parse(text, sheet)
  if (labels.length === 0) {
    const message = `'${printable(file)}' has no line with a "label": write one into the lines of rows that you have judged.`
    throw new AssayError("bad_document", message)
  }
  let added = { fileset: "", added: 0, total: 0 }
  for (let at = 0; at < labels.length; at += BATCH) {
    const { added: count, ...rest } = await add(labels.slice(at, at + BATCH))
    added = { ...rest, added: added.added + count }
  }
  const gaps = empty === 0 ? "" : `; ${formatCount(empty, "line")} without a label left out`
  const others =
    elsewhere === 0
      ? ""
      : `; ${formatCount(elsewhere, "line is a row", "lines are rows")} of the other job: add them to it, too`
  await print(context, options, { ...added, empty, elsewhere }, () => {
    return `added ${formatCount(added.added, "label")} to ${added.fileset}${gaps}${others}\n`
  })
}

/** Returns what can be typed. `y` is offered only if the judge has a yes. */
function helpOf(question: LabelQuestion): string {
  const words = question.yes === null ? "" : `y (${question.yes}) or n (${question.no ?? "not possible"}), or `
  return `Type ${words}${labelSheet.scale.format(question)}; words after it are a note. q ends. Each label is kept at once.\n`
}

async function askForLabels(
  context: Context,
  { desk }: OpenedLabels,
  add: (labels: NewLabel[]) => Promise<unknown>,
  { metric, limit, seed }: AddLabelsOptions & { readonly metric: string },
): Promise<void> {
  const { stdin, prompt, stderr, signal } = context
  const { data, labelled, draw, question } = await desk.queue(metric, { by: "random", seed, limit })
  sayText(prompt, `${formatLabelQuestion(question)}${helpOf(question)}`)
  const lines = createInterface({ input: stdin, terminal: false, signal })
  // Lines of a pipe can arrive before their question: the iterator keeps them.
  const typed = lines[Symbol.asyncIterator]()
  let done = 0
  try {
    for (const row of data) {
      sayText(prompt, `\n${formatRowToLabel(row)}`)
      const sayQuestion = () => sayText(prompt, `${done + 1}/${data.length} label> `)
      const answer = await ask(typed, question, { sayQuestion, sayHelp: () => sayText(prompt, helpOf(question)) })
      signal.throwIfAborted()
      if (answer === undefined) break
      const { task, row_index, repeat } = row
      await add([{ task, row_index, repeat, draw, metric, ...answer }])
      done += 1
    }
  } finally {
    lines.close()
  }
  sayText(stderr, `\n${formatCount(done, "label")} added, ${labelled + done} in all; next: assay label report\n`)
}

interface Asking {
  readonly sayQuestion: () => void
  readonly sayHelp: () => void
}

/** Asks until the answer is a label on the scale. Undefined if the user, or the input, ends. */
async function ask(typed: AsyncIterator<string>, question: LabelQuestion, { sayQuestion, sayHelp }: Asking) {
  for (;;) {
    sayQuestion()
    const { value, done } = await typed.next()
    if (done === true || /^\s*q(uit)?\s*$/iu.test(value)) return undefined
    const [first = "", ...words] = value.trim().split(/\s+/u)
    const label = labelSheet.scale.parse(first, question)
    if (label !== undefined && labelSheet.scale.includes(label, question)) {
      return { label, ...(words.length === 0 ? {} : { note: words.join(" ") }) }
    }
    if (first !== "") sayHelp()
  }
}
