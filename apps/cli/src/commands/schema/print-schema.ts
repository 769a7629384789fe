import { formatJson } from "@assay/reports/terminal"
import { evaluationFileSchema } from "@assay/schemas/validation"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

/** Runs `assay schema evaluation`: prints the JSON Schema of evaluation files. */
export function printSchema({ stdout }: Context): Promise<void> {
  return writeText(stdout, formatJson(evaluationFileSchema()))
}
