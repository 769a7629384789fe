import { describe, expect, it } from "vitest"
import { impureUses } from "./faults/impure-uses.ts"
import { importFaults } from "./faults/import-faults.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { manifestFaults } from "./faults/manifest-faults.ts"
import { readManifests, type Manifest } from "./reading/manifest.ts"
import { PACKAGES } from "./packages.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"
import { parseSource, readSource } from "./reading/source-file.ts"
import { sourceKind } from "./reading/source-kind.ts"

const manifests = readManifests()
const sources = repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/src\/.*\.tsx?$/).map(readSource)

function manifest(short: string, rest: Partial<Manifest> = {}): Manifest {
  return { folder: `packages/${short}`, short, name: `@assay/${short}`, description: "", ...rest }
}

/** These files run as separate processes, and nothing can pass them the channel to the parent. */
const PROGRAMS: ReadonlySet<string> = new Set(["packages/contents/src/formats/parquet/process/parquet-process.ts"])

describe("the table of floors", () => {
  it("allows no import sideways or upwards", () => {
    const numbered = Object.entries(PACKAGES).filter(([, rule]) => typeof rule.floor === "number")
    const pairs = numbered.flatMap(([name, rule]) =>
      rule.mayImport === "all" ? [] : rule.mayImport.map((other) => ({ name, other, rule })),
    )
    expect(pairs.length).toBeGreaterThan(20)
    // The command line runs the server's composition for `serve`, `config`, `token` and `doctor`.
    const level = pairs.filter(({ rule, other }) => Number(PACKAGES[other]?.floor) >= Number(rule.floor))
    expect(level.map(({ name, other }) => `${name} → ${other}`)).toEqual(["cli → server"])
  })

  it("rejects an upward import, an unlisted third-party import, and a test dependency from above", () => {
    expect(manifestFaults(manifest("storage", { dependencies: { "@assay/registry": "workspace:*" } }))).toHaveLength(1)
    expect(manifestFaults(manifest("schemas", { dependencies: { lodash: "catalog:" } }))).toHaveLength(1)
    expect(manifestFaults(manifest("storage", { devDependencies: { "@assay/server": "workspace:*" } }))).toHaveLength(1)
    expect(manifestFaults(manifest("storage", { dependencies: { "@assay/testkit": "workspace:*" } }))).toHaveLength(1)
    expect(manifestFaults(manifest("elsewhere"))).toHaveLength(1)
  })

  it("holds for every manifest", () => {
    expect(manifests.length).toBeGreaterThan(8)
    expect(manifests.flatMap((one) => manifestFaults(one))).toEqual([])
  })

  it("agrees with the tags of turbo", () => {
    const tagged = manifests.filter((one) => typeof PACKAGES[one.short]?.floor === "number")
    const tags = lookedAt("package on a floor", tagged).map((one) => {
      const turbo: { tags: string[] } = JSON.parse(readText(`${one.folder}/turbo.json`))
      return `${one.short}: ${turbo.tags.join()}`
    })
    expect(tags).toEqual(tagged.map((one) => `${one.short}: floor-${PACKAGES[one.short]?.floor}`))
  })
})

describe("imports", () => {
  const storage = manifest("storage", {
    dependencies: { "@assay/schemas": "workspace:*" },
    devDependencies: { vitest: "" },
  })
  const schemas = manifest("schemas", { exports: { ".": "./dist/index.js" } })
  const faults = (path: string, text: string) => importFaults(parseSource(path, text), storage, [storage, schemas])

  it("are rejected when deep, undeclared, outside the package, or without node:", () => {
    const path = "packages/storage/src/a.ts"
    expect(faults(path, 'import { a } from "@assay/schemas/src/a.ts"')).toHaveLength(1)
    expect(faults(path, 'export { a } from "kysely"')).toHaveLength(1)
    expect(faults(path, 'import { a } from "vitest"')).toHaveLength(1)
    expect(faults(path, 'import { a } from "../../schemas/src/a.ts"')).toHaveLength(1)
    expect(faults(path, 'const a = await import("fs")')).toHaveLength(1)
    expect(faults(path, 'import { a } from "@assay/schemas"\nimport { b } from "./b.ts"')).toEqual([])
    expect(faults("packages/storage/src/a.test.ts", 'import { a } from "vitest"')).toEqual([])
    expect(faults("packages/storage/src/testing/a.ts", 'import { a } from "vitest"')).toEqual([])
  })

  it("are declared, by name, and within what a package exports", () => {
    const found = sources.flatMap((source) => {
      const owner = manifests.find((one) => source.path.startsWith(`${one.folder}/`))
      return owner === undefined ? [`${source.path} belongs to no package.`] : importFaults(source, owner, manifests)
    })
    expect(found).toEqual([])
  })
})

describe("below the apps", () => {
  it("the check finds uses of the process, the console, the clock and random ids", () => {
    const text = `
      const a = Date.now() + Math.random() + Number(new Date())
      console.log(process.env, crypto.randomUUID(), performance.now())
      const { process: named } = other.process
      new Date(0)`
    expect(impureUses(parseSource("a.ts", text)).toSorted()).toEqual(
      [
        "a.ts:2: Date.now",
        "a.ts:2: Math.random",
        "a.ts:2: new Date()",
        "a.ts:3: console",
        "a.ts:3: crypto.randomUUID",
        "a.ts:3: performance.now",
        "a.ts:3: process",
      ].toSorted(),
    )
  })

  it("no source uses the process, the console, the clock or random ids", () => {
    const below = sources.filter(
      ({ path }) =>
        path.startsWith("packages/") &&
        !path.startsWith("packages/testkit/") &&
        !PROGRAMS.has(path) &&
        sourceKind(path) === "source",
    )
    expect(lookedAt("source below the apps", below).flatMap(impureUses)).toEqual([])
  })
})
