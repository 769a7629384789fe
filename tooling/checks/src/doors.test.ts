import { describe, expect, it } from "vitest"
import { entriesOf, exportedNames, importedNames } from "./faults/exported-names.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { type Manifest, readManifests } from "./reading/manifest.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"

/** Built entries of all packages besides the first one of each. */
const MAX_MORE_ENTRIES = 5
const MAX_UNUSED = 63

/** The most names that the entry of a package exports, values and types together. */
const MAX_NAMES: Readonly<Record<string, number>> = {
  scoring: 35,
  harness: 13,
  results: 35,
  evaluation: 35,
  attempts: 35,
  local: 35,
  jobs: 35,
  validation: 35,
  openapi: 35,
  "evaluation-files": 35,
}

/** All packages but the one that only tests import. */
const packages = readManifests().filter(({ short, folder }) => folder.startsWith("packages/") && short !== "testkit")

describe("the names that a text exports and imports", () => {
  it("are read from lists, with their original names", () => {
    expect(exportedNames('export { a, type B } from "./a.ts"\nexport type { C } from "./c.ts"')).toEqual([
      "a",
      "B",
      "C",
    ])
    const texts = [
      'import { a as b, type C } from "@assay/x"',
      'function f() { const { d } = await import("@assay/x/y")',
      'import("@assay/z").E',
    ]
    expect([...importedNames(texts)]).toEqual(["@assay/x:a", "@assay/x:C", "@assay/x/y:d", "@assay/z:E"])
  })
})

/** Lists the entries of a package that have no build. */
function sourceEntries({ name, exports = {} }: Manifest): readonly string[] {
  return Object.entries(exports).flatMap(([entry, conditions]) =>
    typeof conditions === "string" || conditions["default"] !== undefined ? [] : [`${name}${entry.slice(1)}`],
  )
}

describe("the doors of packages", () => {
  it(`are one in most packages, and at most ${MAX_MORE_ENTRIES} more in all`, () => {
    const entries = lookedAt("package", packages).map((one) => ({ name: one.name, count: entriesOf(one).length }))
    expect(entries.filter(({ count }) => count > 3)).toEqual([])
    expect(entries.reduce((sum, { count }) => sum + count - 1, 0)).toBeLessThanOrEqual(MAX_MORE_ENTRIES)
  })

  it("have a reason in the README of the package, if they are not the first one", () => {
    const more = packages.flatMap((one) =>
      entriesOf(one)
        .slice(1)
        .map(({ name }) => ({ name, folder: one.folder })),
    )
    const without = lookedAt("entry", more).filter(
      ({ name, folder }) => !readText(`${folder}/README.md`).includes(name),
    )
    expect(without.map(({ name }) => name)).toEqual([])
  })

  it.each(Object.entries(MAX_NAMES))("of %s exports at most %d names", (short, most) => {
    const found = lookedAt(
      "entry",
      packages.filter((one) => one.short === short).flatMap((one) => entriesOf(one).slice(0, 1)),
    )
    const names = found.flatMap(({ exported }) => exported)
    expect(names.length, names.join("\n")).toBeLessThanOrEqual(most)
  })

  it("that exist in sources alone are for tests: a program that is started would not find them", () => {
    const entries = lookedAt("entry of sources", packages.flatMap(sourceEntries))
    const programs = repositoryFiles(/^(packages|apps|tooling)\/.*\.tsx?$/).filter(
      (file) => !/\.test\.tsx?$|\/testing\/|^packages\/testkit\/|^tooling\/checks\//.test(file),
    )
    const isImporting = (text: string) => entries.some((entry) => text.includes(`from "${entry}"`))
    expect(lookedAt("program", programs).filter((file) => isImporting(readText(file)))).toEqual([])
  })

  it(`export at most ${MAX_UNUSED} names that no other package, app or page uses`, () => {
    const texts = repositoryFiles(/^(packages|apps|tooling|examples|docs)\/.*\.(tsx?|md)$|^README\.md$/).map(readText)
    const imported = importedNames(lookedAt("text", texts))
    const unused = packages
      .filter((one) => one.private !== true)
      .flatMap(entriesOf)
      .flatMap(({ name, exported }) => exported.map((one) => `${name}:${one}`).filter((one) => !imported.has(one)))
    expect(unused.length, unused.join("\n")).toBeLessThanOrEqual(MAX_UNUSED)
  })
})
