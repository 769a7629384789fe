import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { evaluationFileSchema } from "@assay/evaluation-files"
import { type FileSchema, formatEvaluationPage } from "./evaluation-page.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Writes docs/reference/evaluation-file.md and evaluation.schema.json: node tooling/checks/src/write-evaluation-page.ts
const schema = evaluationFileSchema()
const folder = join(REPOSITORY_ROOT, "docs/reference")
writeFileSync(join(folder, "evaluation-file.md"), formatEvaluationPage(schema as FileSchema))
writeFileSync(join(folder, "evaluation.schema.json"), `${JSON.stringify(schema, null, 2)}\n`)
