import { valueText } from "../../rows/value-text.ts"
import { answerEnd, AssayError, type EvaluationSample, invalidRequest } from "@assay/schemas"
import { createStepBudget } from "@assay/templates"
import type { ScoreInput } from "../bound-metric.ts"
import type { FieldRead, RowTemplate } from "../../templates/row-template.ts"
import type { MetricSetup, PlainMetric } from "../metric-definition.ts"
import { optionalTemplate, requiredTemplate, templateOf } from "../metric-templates.ts"

/** The text that is scored. */
interface CandidateText {
  readonly template: RowTemplate | undefined
  /** @throws `template_error`; `output_truncated`, `answer_unusable` or `rows_invalid` if there is no text */
  readonly of: (input: ScoreInput) => string
}

/** Returns the text to score: the template `candidate` or `prediction`, else `sample.output_text`. */
export function candidateText(setup: MetricSetup): CandidateText {
  const template = optionalTemplate(setup, ["candidate", "prediction"])
  return { template, of: template === undefined ? ({ sample }) => outputText(sample) : template.render }
}

/**
 * Returns the text of the model's answer.
 * @throws `output_truncated` if the token limit left none, `answer_unusable` if the answer has none, `rows_invalid` if there is no answer
 */
export function outputText({ output_text: text, response, finish_reason: reason }: EvaluationSample): string {
  if (text !== null) return text
  if (answerEnd(reason) === "cut") {
    throw new AssayError(
      "output_truncated",
      "The model reached its token limit before it wrote any text; raise 'max_tokens'.",
    )
  }
  const found = response === null ? "The row has no 'response' and no 'output'" : "The answer has no text"
  const ended = reason === null ? "" : ` (finish_reason '${reason}')`
  throw new AssayError(
    response === null ? "rows_invalid" : "answer_unusable",
    `${found}${ended}, so there is nothing to score; give it, or name a 'candidate' for the metric.`,
  )
}

/** The texts that an answer is compared with. */
export interface ReferenceTexts {
  readonly templates: readonly RowTemplate[]
  /** The fields that they need besides those of their templates. */
  readonly fields: readonly FieldRead[]
  /** Returns at least one text. @throws `template_error`, `rows_invalid` if a row has none */
  readonly of: (input: ScoreInput) => readonly string[]
}

const NAMES = ["references", "ground_truth", "reference"]

/**
 * Reads the references under `references`, `ground_truth` or `reference`: one template or several. If a template gives a list, each of
 * its texts is a reference.
 * @throws `template_error`, `invalid_request`
 */
export function referenceTexts(setup: MetricSetup): ReferenceTexts {
  if (setup.references !== undefined && NAMES.every((name) => setup.params[name] === undefined)) return setup.references
  const templates = referenceTemplates(setup)
  const [only, ...others] = templates

  return {
    templates,
    fields: [],
    of(input) {
      // They are rendered without a pause, so all of them together have the step budget of one.
      const steps = createStepBudget()
      const first = only?.evaluate(input, steps)
      if (others.length === 0 && typeof first === "string") return [first]
      const texts = [first, ...others.map((template) => template.evaluate(input, steps))].flat().map(valueText)
      if (texts.length > 0) return texts
      throw new AssayError(
        "rows_invalid",
        `'${only?.name ?? setup.name}' gives an empty list; a row needs at least one reference.`,
      )
    },
  }
}

function referenceTemplates(setup: MetricSetup): readonly RowTemplate[] {
  const name = NAMES.find((one) => Array.isArray(setup.params[one]))
  if (name === undefined) return [requiredTemplate(setup, NAMES)]
  const list = setup.params[name] as readonly unknown[]
  const location = `${setup.name}.${name}`
  if (list.length === 0) throw invalidRequest(location.split("."), "is empty; give at least one template.", "too_short")
  return list.map((one, index) => templateOf(one, `${location}.${index}`))
}

/** An answer and the references that it is compared with word by word. */
interface ComparedTexts extends Required<Pick<PlainMetric, "templates" | "fields">> {
  /** @throws what `candidateText` and `referenceTexts` throw; `answer_unusable` or `rows_invalid` for texts that are too long */
  readonly of: (input: ScoreInput) => { readonly candidate: string; readonly references: readonly string[] }
}

/** Returns the texts that a metric compares. @throws `template_error`, `invalid_request` */
export function comparedTexts(setup: MetricSetup): ComparedTexts {
  const own = candidateText(setup)
  const given = referenceTexts(setup)
  return {
    templates: [own.template, ...given.templates],
    fields: given.fields,
    of(input) {
      const candidate = own.of(input)
      const references = given.of(input)
      checkTextSizes(candidate, references, answerLength(input))
      return { candidate, references }
    },
  }
}

/** Maximum characters of a compared text. The longest common subsequence of two texts takes time quadratic in their length. */
const MAX_CHARACTERS = 100_000
/** Maximum characters of all compared texts, where the answer counts once for each reference. */
const MAX_COMPARED = 400_000

/** Returns the length of a model's answer; 0 if the row itself has the text. */
function answerLength({ sample: { output_text: text, response } }: ScoreInput): number {
  return response === null ? 0 : (text?.length ?? 0)
}

/**
 * Checks that comparing the texts does not block the process for long. A template can make very long texts from short rows.
 * @param answered characters of the model's answer, which the candidate may contain
 * @throws `answer_unusable` if the texts would not be too long without the answer, else `rows_invalid`
 */
function checkTextSizes(candidate: string, references: readonly string[], answered: number): void {
  const own = Math.max(0, candidate.length - answered)
  const longest = references.reduce((most, { length }) => Math.max(most, length), 0)
  const most = Math.max(candidate.length, longest)
  if (most > MAX_CHARACTERS) {
    const isAnswer = Math.max(own, longest) <= MAX_CHARACTERS
    const message = `${isAnswer ? "The answer" : "A text"} of ${most} characters is too long to be compared; the limit is ${MAX_CHARACTERS} characters.`
    throw new AssayError(isAnswer ? "answer_unusable" : "rows_invalid", message)
  }
  const total = references.reduce((sum, { length }) => sum + length, 0)
  const compared = total + candidate.length * references.length
  if (compared <= MAX_COMPARED) return
  // An answer as long as the longest reference has to fit.
  const isAnswer = answered > longest && total + Math.max(own, longest) * references.length <= MAX_COMPARED
  const message =
    `${references.length} references and an answer of ${candidate.length} characters are too long to be compared: ` +
    `${compared} characters together, with a limit of ${MAX_COMPARED}; ${isAnswer ? "the answer is too long" : "give fewer or shorter references"}.`
  throw new AssayError(isAnswer ? "answer_unusable" : "rows_invalid", message)
}
