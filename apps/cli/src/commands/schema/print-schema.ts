import { formatJson } from "@assay/reports/terminal"
import { evaluationFileSchema, releasePolicySchema } from "@assay/schemas/validation"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

/** Runs `assay schema evaluation|policy`: prints the JSON Schema of evaluation files, or of release policies. */
export function printSchema({ stdout }: Context, file: "evaluation" | "policy"): Promise<void> {
  return writeText(stdout, formatJson(file === "policy" ? releasePolicySchema() : evaluationFileSchema()))
}
