import { existsSync } from "node:fs"
import { join } from "node:path"
import { SettingsSchema } from "@assay/server"
import { describe, expect, it } from "vitest"
import { codeBlocks } from "./reading/code-blocks.ts"
import { anchors, relativeLinks } from "./reading/links.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { readManifests } from "./reading/manifest.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText, REPOSITORY_ROOT } from "./reading/repository.ts"

const pages = repositoryFiles(/\.md$/).map((path) => ({ path, text: readText(path) }))

describe("links", () => {
  it("are read outside code blocks, relative to the root of the repository", () => {
    const text = "# A b: `c`\n[x](../y.md#z) [w](https://example.com) [v](#a)\n```\n# no\n[no](no.md)\n```\n"
    expect(relativeLinks("docs/a.md", text)).toEqual(["y.md#z", "docs/a.md#a"])
    expect(anchors(text)).toEqual(["a-b-c"])
  })

  it("of every page lead to a file, and to a heading if they name one", () => {
    const links = lookedAt(
      "relative link",
      pages.flatMap(({ path, text }) => relativeLinks(path, text)),
    )
    const broken = links.filter((link) => {
      const [target = "", anchor] = link.split("#")
      if (!existsSync(join(REPOSITORY_ROOT, target))) return true
      return anchor !== undefined && !anchors(readText(target)).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})

describe("commands in the pages", () => {
  const commands = pages
    .flatMap(({ text }) => codeBlocks(text, "sh"))
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))

  it("of npm and pnpm are scripts of the repository", () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readText("package.json"))
    const named = commands
      .map((line) => /^npm (?:run (?:-s )?)?([a-z:-]+)/.exec(line)?.[1])
      .filter((name) => name !== undefined)
    expect(lookedAt("npm command", named).filter((name) => !(name in scripts))).toEqual([])
  })

  it("of node run existing files", () => {
    const files = commands.map((line) => /^node (\S+)/.exec(line)?.[1]).filter((file) => file !== undefined)
    expect(lookedAt("node command", files).filter((file) => !existsSync(join(REPOSITORY_ROOT, file)))).toEqual([])
  })
})

describe("the README", () => {
  it("has at most 700 words, so that people read it", () => {
    expect(readText("README.md").split(/\s+/).length).toBeLessThanOrEqual(700)
  })
})

describe("ARCHITECTURE", () => {
  const architecture = readText("ARCHITECTURE.md")

  it("has at most 150 lines", () => {
    expect(architecture.split("\n").length).toBeLessThanOrEqual(150)
  })

  it("shows every package in its table", () => {
    const missing = readManifests().filter(({ short }) => !architecture.includes(`\n| \`${short}\` `))
    expect(missing.map(({ folder }) => folder)).toEqual([])
  })
})

describe("the pages of the reference", () => {
  it("have a line for every setting of the server", () => {
    const names = lookedAt("setting", Object.keys(SettingsSchema.properties))
    const page = readText("docs/reference/settings.md")
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it("have the default of every setting that has one", () => {
    const page = readText("docs/reference/settings.md")
    const cells = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()))
    const wrong = Object.entries(SettingsSchema.properties).flatMap(([name, { default: value }]) => {
      if (value === undefined || String(value) === "") return []
      const [, names = "", defaults = ""] = cells.find(([, first = ""]) => first.includes(`\`${name}\``)) ?? []
      // A row can have several settings, with their defaults in the same order.
      const at = names.split(", ").indexOf(`\`${name}\``)
      return defaults.split(", ")[at]?.startsWith(`\`${String(value)}\``)
        ? []
        : [`${name}: ${defaults}, not ${String(value)}`]
    })
    expect(wrong).toEqual([])
  })
})

describe("docs", () => {
  const isPage = ({ path }: { readonly path: string }) => /^docs\/.*\.md$/.test(path) && !path.endsWith("README.md")

  it("have an index that leads to every page, itself or through an index below it", () => {
    const indexes = pages.filter(({ path }) => /^docs\/(.*\/)?README\.md$/.test(path))
    const linked = new Set(indexes.flatMap(({ path, text }) => relativeLinks(path, text).map(withoutAnchor)))
    const found = lookedAt("page", pages.filter(isPage)).map(({ path }) => path)
    expect(found.filter((path) => !linked.has(path))).toEqual([])
  })
})

function withoutAnchor(link: string): string {
  return link.replace(/#.*$/, "")
}
