import { describe, expect, it } from "vitest"
import { folderCycles, folderImports, typesUp } from "./faults/folder-cycles.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { sourceKind } from "./reading/source-kind.ts"

/** A package with more arrows up has its folders in the wrong order. */
const MAX_TYPES_UP = 3

const sources = repositoryFiles(/^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/)
const imports = lookedAt(
  "import between folders",
  folderImports(sources.filter((path) => sourceKind(path) === "source")),
)

describe("folders of a package", () => {
  it("are found to import each other when two reach each other by imports of values", () => {
    const files: Readonly<Record<string, string>> = {
      "packages/p/src/a/one.ts": `import { two } from "../b/two.ts"\nexport const one = two`,
      "packages/p/src/b/two.ts": `export { three as two } from "../c/deep/three.ts"`,
      "packages/p/src/c/deep/three.ts": `import "../../a/one.ts"`,
      "packages/p/src/d/four.ts": `import type { one } from "../a/one.ts"\nimport { x } from "../../elsewhere.ts"`,
      "packages/p/src/index.ts": `export { one } from "./a/one.ts"`,
    }
    const cycles = folderCycles(folderImports(Object.keys(files), (path) => files[path] ?? ""))
    expect(cycles).toHaveLength(1)
    expect(cycles[0]).toMatch(/^packages\/p\/src\/a, packages\/p\/src\/b, packages\/p\/src\/c\n/)
  })

  it("are found to import types upwards", () => {
    const files: Readonly<Record<string, string>> = {
      "packages/p/src/top/one.ts": `import { two } from "../low/two.ts"`,
      "packages/p/src/low/two.ts": `import type { One } from "../top/one.ts"`,
      "packages/p/src/low/three.ts": `export type { One } from "../top/one.ts"`,
    }
    const found = typesUp(folderImports(Object.keys(files), (path) => files[path] ?? ""))
    expect(found).toEqual(["packages/p/src/low -> packages/p/src/top"])
  })

  it(`import types upwards between at most ${MAX_TYPES_UP} pairs of folders`, () => {
    const up = typesUp(imports)
    const byPackage = Map.groupBy(up, (arrow) => arrow.split("/src/")[0])
    expect([...byPackage.values()].filter(({ length }) => length > MAX_TYPES_UP)).toEqual([])
  })

  it("import values of each other in one direction only", () => {
    expect(folderCycles(imports)).toEqual([])
  })
})
