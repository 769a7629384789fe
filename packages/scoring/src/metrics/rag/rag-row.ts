import { fieldsOf } from "@assay/json"
import { AssayError } from "@assay/schemas"
import { valueText } from "../../rows/value-text.ts"
import type { FieldRead, RowTemplate } from "../../templates/row-template.ts"
import { questionText, rowField } from "../agentic/conversation.ts"
import type { ScoreInput } from "../bound-metric.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { optionalTemplate } from "../metric-templates.ts"

const CONTEXTS = ["retrieved_contexts", "contexts", "context"] as const
const QUESTION = ["user_input", "question", "input", "prompt"] as const
const REFERENCE = ["reference", "ground_truth"] as const
/** Fields of an object that have the text of a context. */
const TEXTS = ["text", "content", "page_content"] as const
const MAX_CONTEXTS = 100
/** Maximum characters of all contexts of a row. */
const MAX_CHARACTERS = 1_000_000

/** How a metric reads the parts of a row of a retrieval system. The template of the same name replaces the usual fields. */
export interface RagRow {
  readonly templates: readonly RowTemplate[]
  readonly fields: readonly FieldRead[]
  /** @throws `rows_invalid` if the row has none */
  readonly question: (input: ScoreInput) => string
  /** Returns the contexts in the order of the retriever; none if the list is empty. @throws `rows_invalid` */
  readonly contexts: (input: ScoreInput) => readonly string[]
  /** Returns the expected answer; undefined if the row has none, as for a question that nothing answers. */
  readonly reference: (input: ScoreInput) => string | undefined
}

type Part = "question" | "contexts" | "reference"

/** Reads the `parts` that a metric needs. @throws `template_error`, `invalid_request` */
export function ragRow(setup: MetricSetup, parts: readonly Part[]): RagRow {
  const template = (part: Part) => (parts.includes(part) ? optionalTemplate(setup, [part]) : undefined)
  const [question, contexts, reference] = [template("question"), template("contexts"), template("reference")]
  const needs = (part: Part, own: RowTemplate | undefined, names: readonly string[]): readonly FieldRead[] =>
    own === undefined && parts.includes(part) ? [{ anyOf: names, by: setup.type }] : []
  return {
    templates: [question, contexts, reference].filter((one) => one !== undefined),
    // A row without a reference is a question that nothing answers.
    fields: [...needs("question", question, QUESTION), ...needs("contexts", contexts, CONTEXTS)],
    question: (input) => (question === undefined ? questionText(input) : question.render(input)),
    contexts: (input) => contextsIn(contexts === undefined ? rowField(input, ...CONTEXTS) : contexts.evaluate(input)),
    reference(input) {
      const value =
        reference === undefined
          ? REFERENCE.map((name) => input.item[name]).find((one) => one !== undefined && one !== null)
          : reference.evaluate(input)
      const text = Array.isArray(value) ? value.map(valueText).join("\n") : valueText(value ?? "")
      return text.trim() === "" ? undefined : text
    },
  }
}

function contextsIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : value === "" ? [] : [value]
  const texts = list.map(contextText).filter((text) => text.trim() !== "")
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  if (texts.length <= MAX_CONTEXTS && size <= MAX_CHARACTERS) return texts
  const limit = `at most ${MAX_CONTEXTS} contexts with ${MAX_CHARACTERS} characters together are judged`
  throw new AssayError("rows_invalid", `The row has ${texts.length} contexts with ${size} characters; ${limit}.`)
}

function contextText(context: unknown): string {
  if (typeof context === "string") return context
  const fields = fieldsOf(context)
  const text = TEXTS.map((name) => fields[name]).find((one) => typeof one === "string")
  if (typeof text === "string") return text
  const shown = JSON.stringify(context)?.slice(0, 80)
  throw new AssayError("rows_invalid", `A context is ${shown}; give a text, or an object with '${TEXTS.join("', '")}'.`)
}
