import { formatYaml, parseYaml } from "@assay/validation"
import { readEvaluationCells } from "../read-evaluation-cells.ts"

/** The keys of the file that is written. */
export interface EvaluationDraft {
  readonly model?: string | object
  readonly output?: string
  readonly data: string
  readonly prompt?: string | undefined
  readonly checks: readonly unknown[]
  readonly gates: readonly string[]
  /** The names of the columns, for a comment. */
  readonly columns: readonly string[]
  /** A sentence about the model, if there is something to say. */
  readonly note?: string | undefined
}

/** Formats an evaluation file in the short form, with a comment above each key. @param name the name of the file */
export function formatEvaluationFile(draft: EvaluationDraft, name: string): string {
  const { model, output, data, prompt, checks, gates, columns, note } = draft
  const part = (comment: string, values: object) => `\n# ${comment}\n${formatYaml(values)}`
  return [
    "# yaml-language-server: $schema=./evaluation.schema.json\n",
    `# Run: assay eval run ${name}\n`,
    "# The long form of this file: assay eval show. Every key: assay docs evaluation-file\n",
    ...(model === undefined
      ? []
      : [part(note ?? "The model that is asked, at an address that speaks OpenAI's protocol: URL#NAME.", { model })]),
    ...(output === undefined
      ? []
      : [
          part("The answer that each row has already. To ask a model instead, write `model: URL#NAME` and a prompt.", {
            output,
          }),
        ]),
    part(`The rows. Columns: ${columns.join(", ")}.`, { data }),
    ...(prompt === undefined ? [] : [part("What is sent for each row. Names in braces are columns.", { prompt })]),
    part("How answers are scored.", { checks }),
    ...(gates.length === 0
      ? []
      : [part("What has to hold: the whole 95 % interval of a score, not only its value.", { gates })]),
  ].join("")
}

/** Checks a text that is about to be written. @throws `bad_document` with line, column and what is allowed */
export function checkWritten(text: string, name: string, prompt: string | undefined): void {
  const files = new Map(prompt === undefined ? [] : [[prompt, ""]])
  readEvaluationCells(parseYaml(text, name), files)
}
