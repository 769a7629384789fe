import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { formatNumberKernel, NUMBER_KERNEL } from "./number-kernel.ts"

it("number-kernel.ts is compiled from number-kernel.wat; if not, run `node tooling/checks/src/write-number-kernel.ts`", async () => {
  expect(readFileSync(NUMBER_KERNEL, "utf8")).toBe(await formatNumberKernel())
})
