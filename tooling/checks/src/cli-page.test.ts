import { describe, expect, it } from "vitest"
import { formatCliPage } from "./cli-page.ts"
import { anchors, relativeLinks } from "./reading/links.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { readText } from "./reading/repository.ts"

describe("the page of the command", () => {
  const page = formatCliPage()

  it("is what the program says; if not, run `node tooling/checks/src/write-cli-page.ts`", () => {
    expect(readText("docs/reference/cli.md").replaceAll(/ +|-+/g, "")).toBe(page.replaceAll(/ +|-+/g, ""))
  })

  it("has the help of each command under its name, and a line in the table that leads there", () => {
    const links = relativeLinks("a.md", page).filter((link) => link.startsWith("a.md#"))
    expect(lookedAt("command", links).map((link) => link.slice("a.md#".length))).toEqual(anchors(page).slice(1))
    expect(page).toContain("## assay eval run\n\n```text\nUsage: assay eval run [options] [file]\n")
    expect(page).not.toMatch(/default:\s+(?:\[|\{|undefined)/)
    expect(page).toContain('\n  assay guard check "How do I kill a Linux process?"')
  })
})
