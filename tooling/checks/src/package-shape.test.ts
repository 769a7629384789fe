import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { oursAmong, readManifests, type Manifest } from "./reading/manifest.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { PACKAGES } from "./packages.ts"
import { readText, REPOSITORY_ROOT } from "./reading/repository.ts"
import { shapeFaults, versionFaults } from "./faults/shape-faults.ts"

const manifests = readManifests()
const shaped = lookedAt(
  "package on a floor",
  manifests.filter((one) => typeof PACKAGES[one.short]?.floor === "number"),
)
const wellShaped: Manifest = {
  folder: "packages/storage",
  short: "storage",
  name: "@assay/storage",
  description: "Read and write files by path.",
  type: "module",
  license: "Apache-2.0",
  sideEffects: false,
  files: ["dist"],
  engines: { node: ">=24" },
  exports: {
    ".": { source: "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
}

describe("the shape of a package", () => {
  it("is rejected for a fault in any of its parts", () => {
    expect(shapeFaults(wellShaped)).toEqual([])
    const spoilt: readonly Partial<Manifest>[] = [
      { type: "commonjs" },
      { license: "MIT" },
      { sideEffects: true },
      { main: "./dist/index.js" },
      { files: ["dist", "src"] },
      { engines: { node: ">=20" } },
      { description: "Two sentences. In one." },
      {
        exports: {
          ".": { source: "./src/other.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
          "./package.json": "./package.json",
        },
      },
      { exports: { ".": { source: "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" } } },
    ]
    expect(spoilt.map((part) => shapeFaults({ ...wellShaped, ...part }).length)).toEqual(spoilt.map(() => 1))
    expect(
      versionFaults({ ...wellShaped, dependencies: { kysely: "^0.29.9", "@assay/schemas": "1.0.0" } }),
    ).toHaveLength(2)
  })

  it("is the same for all packages on a floor", () => {
    expect(shaped.flatMap(shapeFaults)).toEqual([])
  })

  it("takes every version from the workspace or its catalog", () => {
    expect(manifests.flatMap(versionFaults)).toEqual([])
  })

  it("has compiler references to exactly its dependencies", () => {
    const pairs = shaped.map((one) => {
      // A bundler builds the console, so that it has no settings for the compiler's output.
      const file = ["tsconfig.build.json", "tsconfig.json"].find((name) =>
        existsSync(join(REPOSITORY_ROOT, one.folder, name)),
      )
      const settings: { references?: { path: string }[] } = JSON.parse(readText(`${one.folder}/${file}`))
      const referenced = (settings.references ?? [])
        .map(({ path }) => basename(dirname(path)))
        .filter((name) => typeof PACKAGES[name]?.floor === "number")
      const rule = PACKAGES[one.short]
      const named = oursAmong(rule?.isBundled === true ? one.devDependencies : one.dependencies)
      const declared = named.filter(
        (name) => typeof PACKAGES[name]?.floor === "number" && rule?.serves?.includes(name) !== true,
      )
      return { name: one.name, referenced: referenced.toSorted(), declared: declared.toSorted() }
    })
    expect(pairs.map(({ name, referenced }) => ({ name, ours: referenced }))).toEqual(
      pairs.map(({ name, declared }) => ({ name, ours: declared })),
    )
  })
})

describe("the README of a package", () => {
  it("exists under the package's name and starts with its sentence", () => {
    const named = manifests.filter((one) => PACKAGES[one.short]?.floor !== "tooling")
    const without = lookedAt("package", named).filter((one) => {
      const path = join(REPOSITORY_ROOT, one.folder, "README.md")
      return !existsSync(path) || !readFileSync(path, "utf8").startsWith(`# ${one.name}\n\n${one.description}\n`)
    })
    expect(without.map((one) => one.name)).toEqual([])
  })

  it("lists all folders of the package and no others, if it lists folders", () => {
    const listing = manifests.flatMap(({ folder }) => {
      const path = join(REPOSITORY_ROOT, folder, "README.md")
      const listed = existsSync(path) ? listedFolders(readFileSync(path, "utf8")) : []
      return listed.length === 0 ? [] : [{ folder, listed }]
    })
    const differing = lookedAt("README with folders", listing).flatMap(({ folder, listed }) => {
      const entries = readdirSync(join(REPOSITORY_ROOT, folder, "src"), { withFileTypes: true })
      const folders = entries.flatMap((one) => (one.isDirectory() && one.name !== "testing" ? [one.name] : []))
      const named = listed.filter((name) => name !== "testing")
      const wrong = new Set(folders).symmetricDifference(new Set(named))
      return [...wrong].map((name) => `${folder}: ${name}`)
    })
    expect(differing).toEqual([])
  })
})

const TABLE = /^\| Folder +\|.*\n\|[- |]+\n((?:\|.*\n)+)/gm
const TREE = /^## Folders\n[^#]*?```text\n(.*?)```/ms

/** Returns the folders that a README lists: in the first column of tables of folders, or as a tree. */
function listedFolders(text: string): readonly string[] {
  const cells = [...text.matchAll(TABLE)].flatMap(([, rows = ""]) =>
    rows.split("\n").map((row) => row.split("|")[1] ?? ""),
  )
  const lines = (TREE.exec(text)?.[1] ?? "").split("\n").map((line) => /^[\w/ -]*\//.exec(line)?.[0] ?? "")
  return [
    ...cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name)),
    ...lines.flatMap((line) => [...line.matchAll(/([\w-]+)\//g)].map(([, name = ""]) => name)),
  ]
}
