import { expect, it } from "vitest"
import { readText } from "./reading/repository.ts"
import { formatToolsPage } from "./tools-page.ts"

it("docs/reference/tools.md is what the tools say; if not, run `node --conditions=source tooling/checks/src/write-tools-page.ts`", () => {
  const bare = (text: string) => text.replaceAll(/ +|-+/g, "")
  expect(bare(readText("docs/reference/tools.md"))).toBe(bare(formatToolsPage()))
})
