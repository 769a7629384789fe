import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CONDITION_SIGNALS, CONDITIONS } from "@assay/schemas"
import { formatConditionPage } from "./condition-page.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Writes docs/reference/conditions.md: node tooling/checks/src/write-condition-page.ts
mkdirSync(join(REPOSITORY_ROOT, "docs/reference"), { recursive: true })
const page = formatConditionPage({ conditions: CONDITIONS, signals: CONDITION_SIGNALS })
writeFileSync(join(REPOSITORY_ROOT, "docs/reference/conditions.md"), page)
