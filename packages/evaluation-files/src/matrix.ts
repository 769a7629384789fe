import type { LocatedDocument } from "@assay/validation"
import { faultAt, pointerTo } from "./document-faults.ts"
import { MAX_CELLS, type ShortEvaluation, type ShortPrompt } from "./short/short-evaluation.ts"
import type { ShortModel } from "./short/short-model-schema.ts"
import { type ExpandedModel, expandModel } from "./short/short-model.ts"

/** One job of the matrix of models and prompts. */
export interface Cell {
  /** Undefined: it is the only one. */
  readonly label: string | undefined
  /** Undefined: rows have their outputs. */
  readonly model: { readonly expanded: ExpandedModel; readonly pointer: string } | undefined
  /** Undefined: rows have their prompts, or no model is asked. */
  readonly prompt: { readonly given: ShortPrompt; readonly pointer: string } | undefined
}

export const NO_MODEL: Cell = { label: undefined, model: undefined, prompt: undefined }

interface Entry<T> {
  readonly given: T
  readonly pointer: string
  /** Undefined in a list. */
  readonly label: string | undefined
}

/**
 * Returns the cells of models and prompts, the prompts of a model after each other.
 * @throws `bad_document` for keys that exclude or need each other, for models and prompts with the same label, and for too many cells
 */
export function cellsOf(document: LocatedDocument, given: ShortEvaluation): readonly Cell[] {
  checkTogether(document, given)
  const { model, models, prompt, prompts, output } = given
  if (output !== undefined) return [NO_MODEL]
  const asked = entriesOf<ShortModel>(model, models, "model").map((one) => {
    const expanded = expandModel(document, one.given, one.pointer)
    return { pointer: one.pointer, expanded, label: one.label ?? expanded.label }
  })
  const written = entriesOf<ShortPrompt>(prompt, prompts, "prompt").map((one, at) => {
    return { ...one, label: one.label ?? `prompt ${at + 1}` }
  })
  checkLabels(document, asked, "/models")
  checkLabels(document, written, "/prompts")
  const byPrompt = written.length === 0 ? [undefined] : written
  // An agent may ask no model.
  const targets = asked.length === 0 ? [undefined] : asked
  const cells = targets.flatMap((of) => byPrompt.map((by) => ({ of, by })))
  if (cells.length > MAX_CELLS) {
    throw faultAt(
      document,
      "/models",
      `${cells.length} models with prompts are too many; the limit is ${MAX_CELLS} jobs.`,
    )
  }
  return cells.map(({ of, by }) => {
    const parts = [
      ...(asked.length > 1 && of !== undefined ? [of.label] : []),
      ...(written.length > 1 && by !== undefined ? [by.label] : []),
    ]
    return { label: parts.length === 0 ? undefined : parts.join(", "), model: of, prompt: by }
  })
}

function entriesOf<T>(
  one: T | undefined,
  many: readonly T[] | Record<string, T> | undefined,
  key: string,
): readonly Entry<T>[] {
  if (one !== undefined) return [{ given: one, pointer: `/${key}`, label: undefined }]
  if (many === undefined) return []
  const isList = Array.isArray(many)
  return Object.entries<T>(many as Record<string, T>).map(([name, given]) => {
    return { given, pointer: pointerTo(`/${key}s`, name), label: isList ? undefined : name }
  })
}

const TOGETHER = [
  ["model", "models"],
  ["prompt", "prompts"],
  ["output", "model"],
  ["output", "models"],
  ["output", "prompt"],
  ["output", "prompts"],
] as const

function checkTogether(document: LocatedDocument, given: ShortEvaluation): void {
  for (const [one, other] of TOGETHER) {
    if (given[one] === undefined || given[other] === undefined) continue
    const why = one === "output" ? "no model is asked about outputs that exist already" : "one list has all of them"
    throw faultAt(document, `/${other}`, `can't be beside '${one}': ${why}; leave one of them out.`)
  }
  if (given.output !== undefined && !given.output.includes("{{")) {
    throw faultAt(
      document,
      "/output",
      `'${given.output}' is not a template; write "{{ ${given.output} }}" for the column of this name.`,
    )
  }
  if ((given.model ?? given.models ?? given.output ?? given.agent) !== undefined) return
  const why =
    "'model' is missing: write URL#NAME, or 'output' with a template such as \"{{ answer_given }}\" for answers that exist already."
  throw faultAt(document, "", why)
}

function checkLabels(document: LocatedDocument, entries: readonly { label: string }[], pointer: string): void {
  const seen = new Set<string>()
  for (const [at, { label }] of entries.entries()) {
    if (seen.has(label))
      throw faultAt(
        document,
        pointerTo(pointer, at),
        `the label '${label}' is taken; give labels: { first: …, second: … }.`,
      )
    seen.add(label)
  }
}
