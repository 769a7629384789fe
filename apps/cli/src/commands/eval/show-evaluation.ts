import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatYaml } from "@assay/validation"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { readEvaluation } from "./file/read-evaluation.ts"

export interface ShowOptions extends JsonOption {
  readonly job?: number
}

/** Runs `assay eval show <file>`: prints the long form that a file expands to, as YAML or JSON that runs. @throws `bad_usage` */
export async function showEvaluation(context: Context, name: string, options: ShowOptions): Promise<void> {
  const files = await readEvaluation(context, name)
  const { job } = options
  const shown = job === undefined ? files : files.filter(({ cell }) => cell === job - 1)
  if (shown.length === 0) {
    throw new AssayError("bad_usage", `--job ${job} is not a job of the file; it has ${files.length}.`)
  }
  const values = shown.map(({ document }) => document.value)
  await print(context, options, values.length === 1 ? values[0] : values, () => {
    const documents = shown.map(({ label, cell, document }) => {
      const heading = label === undefined ? "" : `# ${printable(label)}: --job ${cell + 1}\n`
      return `${heading}${formatYaml(document.value)}`
    })
    return documents.join("---\n")
  })
}
