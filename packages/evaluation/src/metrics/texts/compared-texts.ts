import { AssayError } from "@assay/schemas"
import type { ScoreInput } from "../../plan/task-plan.ts"
import type { MetricSetup, PlainMetric } from "../metric-definition.ts"
import { candidateText } from "./candidate-text.ts"
import { referenceTexts } from "./reference-texts.ts"

/** An answer and the references that it is compared with word by word. */
interface ComparedTexts extends Required<Pick<PlainMetric, "templates" | "fields">> {
  /** @throws what `candidateText` and `referenceTexts` throw; `rows_invalid` for texts that are too long */
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
      checkTextSizes(candidate, references)
      return { candidate, references }
    },
  }
}

/** Maximum characters of a compared text. The longest common subsequence of two texts takes time quadratic in their length. */
const MAX_CHARACTERS = 100_000
/** Maximum characters of all compared texts, where the answer counts once for each reference. */
const MAX_COMPARED = 400_000

/**
 * Checks that comparing the texts does not block the process for long. A template can make very long texts from short rows.
 * @throws `rows_invalid`
 */
function checkTextSizes(candidate: string, references: readonly string[]): void {
  const longest = references.reduce((most, { length }) => Math.max(most, length), candidate.length)
  if (longest > MAX_CHARACTERS) {
    const message = `A text of ${longest} characters is too long to be compared; the limit is ${MAX_CHARACTERS} characters.`
    throw new AssayError("rows_invalid", message)
  }
  const compared = references.reduce((sum, { length }) => sum + length, candidate.length * references.length)
  if (compared <= MAX_COMPARED) return
  const message =
    `${references.length} references and an answer of ${candidate.length} characters are too long to be compared: ` +
    `${compared} characters together, with a limit of ${MAX_COMPARED}; give fewer or shorter references.`
  throw new AssayError("rows_invalid", message)
}
