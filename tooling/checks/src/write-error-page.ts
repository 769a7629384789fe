import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ERROR_CATALOGUE } from "@assay/schemas"
import { formatErrorPage } from "./error-page.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Writes docs/errors.md: node tooling/checks/src/write-error-page.ts
mkdirSync(join(REPOSITORY_ROOT, "docs"), { recursive: true })
writeFileSync(join(REPOSITORY_ROOT, "docs/errors.md"), formatErrorPage(ERROR_CATALOGUE))
