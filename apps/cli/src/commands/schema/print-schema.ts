import { formatJson } from "@assay/reports/terminal"
import { arenaFileSchema, evaluationFileSchema, releasePolicySchema } from "@assay/evaluation-files"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

const SCHEMAS = { evaluation: evaluationFileSchema, policy: releasePolicySchema, arena: arenaFileSchema }

/** Runs `assay schema evaluation|policy|arena`: prints the JSON Schema of evaluation files, release policies or arena files. */
export function printSchema({ stdout }: Context, file: keyof typeof SCHEMAS): Promise<void> {
  return writeText(stdout, formatJson(SCHEMAS[file]()))
}
