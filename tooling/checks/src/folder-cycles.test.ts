import { describe, expect, it } from "vitest"
import { folderCycles, folderImports } from "./faults/folder-cycles.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { sourceKind } from "./reading/source-kind.ts"

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

  it("import values of each other in one direction only", () => {
    const sources = repositoryFiles(/^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/).filter(
      (path) => sourceKind(path) === "source" && !path.includes("/testing/"),
    )
    expect(folderCycles(lookedAt("import between folders", folderImports(sources)))).toEqual([])
  })
})
