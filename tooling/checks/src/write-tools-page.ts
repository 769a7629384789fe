import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { REPOSITORY_ROOT } from "./reading/repository.ts"
import { formatToolsPage } from "./tools-page.ts"

// Writes docs/reference/tools.md: node --conditions=source tooling/checks/src/write-tools-page.ts, then npm run format, which aligns the tables.
writeFileSync(join(REPOSITORY_ROOT, "docs/reference/tools.md"), formatToolsPage())
