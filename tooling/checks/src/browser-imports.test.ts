import { describe, expect, it } from "vitest"
import { reachFrom } from "./faults/browser-imports.ts"
import { readManifests } from "./reading/manifest.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { sourceKind } from "./reading/source-kind.ts"

describe("the modules that a browser gets", () => {
  it("are followed through packages, with the path of imports to each module of Node", () => {
    const texts: Readonly<Record<string, string>> = {
      "apps/web/src/main.tsx": 'import { a } from "@assay/x"\nimport type { T } from "node:net"',
      "packages/x/src/index.ts": 'export { a } from "./a.ts"\nexport type { B } from "./b.ts"',
      "packages/x/src/a.ts": 'import { join } from "node:path"\nexport const a = () => import("./c.ts")',
      "packages/x/src/c.ts": 'import "react"',
    }
    const x = { folder: "packages/x", short: "x", name: "@assay/x", description: "" }
    const manifest = { ...x, exports: { ".": { source: "./src/index.ts" } } }
    const { sources, faults } = reachFrom(["apps/web/src/main.tsx"], [manifest], (path) => texts[path] ?? "")
    expect([...sources]).toEqual(Object.keys(texts))
    expect(faults).toEqual(["apps/web/src/main.tsx > packages/x/src/index.ts > packages/x/src/a.ts > node:path"])
  })

  it("do not include a module of Node", () => {
    const roots = repositoryFiles(/^apps\/console\/src\/.*\.tsx?$/).filter((path) => sourceKind(path) === "source")
    const { sources, faults } = reachFrom(roots, readManifests())
    for (const name of ["schemas", "client", "reports", "http"]) {
      expect([...sources].some((path) => path.startsWith(`packages/${name}/`))).toBe(true)
    }
    expect(faults, faults.join("\n")).toEqual([])
  })
})
