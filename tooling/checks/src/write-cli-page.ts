import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { formatCliPage } from "./cli-page.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"

// Writes docs/reference/cli.md: node tooling/checks/src/write-cli-page.ts
writeFileSync(join(REPOSITORY_ROOT, "docs/reference/cli.md"), formatCliPage())
