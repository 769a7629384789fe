import { valueText } from "../rows/value-text.ts"
import { AssayError, invalidRequest } from "@assay/schemas"
import { isExactNumber, nearestNumber } from "@assay/json"
import { createStepBudget, type StepBudget } from "@assay/templates"
import type { SourceRow } from "../rows/source-row.ts"
import {
  compileStructure,
  type FieldRead,
  fieldsOfTemplates,
  jsonOfTemplate,
  type Structure,
} from "../templates/row-template.ts"
import type { Continuation } from "./text-likelihood.ts"

/** The texts of a row that are scored. */
export interface RowTexts {
  readonly continuations: readonly Continuation[]
  /** The choices without delimiter; empty if the texts are not choices. */
  readonly choices: readonly string[]
  /** The number of the right choice, from 0. Null: the texts are not choices. */
  readonly answer: number | null
}

/** A compiled template of a task that scores texts. */
export interface LikelihoodTemplate {
  readonly fields: readonly FieldRead[]
  /** @throws `template_error`, `rows_invalid` */
  readonly render: (item: SourceRow["item"], steps?: StepBudget) => RowTexts
}

const PARTS = {
  loglikelihood: ["context", "text", "delimiter"],
  "multiple-choice": ["context", "choices", "answer", "delimiter"],
} as const
export type LikelihoodType = keyof typeof PARTS

export const LIKELIHOOD_TYPES = Object.keys(PARTS) as readonly LikelihoodType[]

/** Fields from which a part is read if the template does not have it. The first field that a row has counts. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  context: ["context", "question", "prompt"],
  text: ["text"],
  choices: ["choices"],
  answer: ["answer"],
}
/** More choices than this are a mistake. */
const MAX_CHOICES = 100

/**
 * Compiles the template of a task: `{context?, text, delimiter?}`, or `{context?, choices, answer, delimiter?}`. A part that is
 * absent is the field of the row with its name. A template that is one text is the text.
 * @throws `template_error`, `invalid_request` for another part
 */
export function compileLikelihoodTemplate(type: LikelihoodType, source: unknown, name: string): LikelihoodTemplate {
  const known: readonly string[] = PARTS[type]
  const given = partsOf(source, name, known)
  const parts = new Map(Object.entries(given).map(([key, part]) => [key, compileStructure(part, `${name}.${key}`)]))
  const absent = known.filter((key) => key !== "context" && key !== "delimiter" && !parts.has(key))
  const read = absent.map((key) => ({ anyOf: FIELDS[key] ?? [key], by: `template '${name}'` }))
  const templates = [...parts.values()].flatMap((part) => part.templates)
  return {
    fields: [...fieldsOfTemplates(templates), ...read],
    render(item, steps = createStepBudget()) {
      const valueOf = (key: string) => partOf(parts.get(key), key, { item, steps })
      const context = textOfPart(valueOf("context") ?? "")
      // Choices follow a question after a space, as in lm-evaluation-harness. A text is scored as it is.
      const isJoined = type !== "multiple-choice" || /(^|\s)$/.test(context)
      const delimiter = valueOf("delimiter") ?? (isJoined ? "" : " ")
      const toContinuation = (text: string): Continuation => ({ context, text: textOfPart(delimiter) + text })
      if (type === "loglikelihood") {
        const text = textOfPart(valueOf("text"))
        return { continuations: [toContinuation(text)], choices: [], answer: null }
      }
      const choices = choicesOf(valueOf("choices"), name)
      const answer = answerOf(valueOf("answer"), choices)
      return { continuations: choices.map(toContinuation), choices, answer }
    },
  }
}

function partsOf(source: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (source === undefined || source === null) return {}
  const form = `write {${known.join(", ")}}`
  if (typeof source === "string" && known.includes("text")) return { text: source }
  if (typeof source !== "object" || Array.isArray(source)) {
    throw invalidRequest(name.split("."), `is not a template of this task; ${form}.`, "type", source)
  }
  for (const key of Object.keys(source)) {
    if (!known.includes(key))
      throw invalidRequest([...name.split("."), key], `is not a part of this template; ${form}.`, "extra_forbidden")
  }
  return Object.fromEntries(Object.entries(source).filter(([, part]) => part !== null))
}

interface RowContext {
  readonly item: SourceRow["item"]
  readonly steps: StepBudget
}

function partOf(part: Structure | undefined, key: string, { item, steps }: RowContext): unknown {
  if (part !== undefined) return part.render({ item }, steps)
  const field = FIELDS[key]?.find((name) => item[name] !== undefined && item[name] !== null)
  return field === undefined ? undefined : item[field]
}

function textOfPart(value: unknown): string {
  if (typeof value === "string") return value
  return isExactNumber(value) ? String(nearestNumber(value)) : valueText(value)
}

function choicesOf(value: unknown, name: string): readonly string[] {
  // A CSV has a list as text.
  const list = typeof value === "string" ? jsonOfTemplate(value, `${name}.choices`) : value
  const choices = Array.isArray(list) ? list.map(textOfPart) : []
  if (choices.length >= 2 && choices.length <= MAX_CHOICES && choices.every((choice) => choice.trim() !== ""))
    return choices
  throw new AssayError(
    "rows_invalid",
    `The row has ${choices.length} choices; 'choices' has to be a list of 2 to ${MAX_CHOICES} texts that are not empty.`,
  )
}

/** Returns the number of the right choice, which is given as its text, its number from 0, or its letter. */
function answerOf(value: unknown, choices: readonly string[]): number {
  const text = textOfPart(value ?? "").trim()
  const isNumber = typeof value === "number" || isExactNumber(value)
  const byText = isNumber ? -1 : choices.findIndex((choice) => choice.trim() === text)
  if (byText !== -1) return byText
  const byLetter = /^[A-Z]$/.test(text) ? text.charCodeAt(0) - "A".charCodeAt(0) : -1
  const found = byLetter !== -1 ? byLetter : /^\d+$/.test(text) ? Number(text) : -1
  if (found >= 0 && found < choices.length) return found
  throw new AssayError(
    "rows_invalid",
    `The answer '${text.slice(0, 80)}' is not one of the ${choices.length} choices; give its text, its number from 0, or its letter from A.`,
  )
}
