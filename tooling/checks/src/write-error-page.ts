import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ERROR_CATALOGUE } from "@assay/schemas"
import { formatErrorPage } from "./error-page.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Writes docs/reference/errors.md: node tooling/checks/src/write-error-page.ts
mkdirSync(join(REPOSITORY_ROOT, "docs/reference"), { recursive: true })
writeFileSync(join(REPOSITORY_ROOT, "docs/reference/errors.md"), formatErrorPage(ERROR_CATALOGUE))
