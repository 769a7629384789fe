import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { REQUIREMENTS } from "@assay/testkit"
import { citedRequirements } from "./faults/cited-requirements.ts"
import { REPOSITORY_ROOT } from "./reading/repository.ts"
import { formatSpecPage } from "./spec-page.ts"

// Writes docs/spec/README.md: node tooling/checks/src/write-spec-page.ts
writeFileSync(join(REPOSITORY_ROOT, "docs/spec/README.md"), formatSpecPage(REQUIREMENTS, citedRequirements()))
