import { writeFileSync } from "node:fs"
import { formatNumberKernel, NUMBER_KERNEL } from "./number-kernel.ts"

// Writes packages/json/src/number-kernel.ts: node tooling/checks/src/write-number-kernel.ts
writeFileSync(NUMBER_KERNEL, await formatNumberKernel())
