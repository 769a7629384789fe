import { expect, it } from "vitest"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"
import { sourceKind } from "./reading/source-kind.ts"

/** A larger package hides two ideas: draw it and cut it. */
const MAX_LINES = 15_000
const MAX_FOLDERS = 14

/** Packages that are larger, until they are cut. They may shrink. */
const LARGER: Readonly<Record<string, { readonly lines?: number; readonly folders?: number }>> = {
  "apps/cli": { lines: 15_130 },
  "apps/console": { lines: 29_400 },
  // One folder for each feature of the API.
  "apps/server": { folders: 26 },
}

const sources = repositoryFiles(/^(packages|apps)\/[^/]+\/src\/.*\.(ts|tsx|css)$/).filter(
  (path) => sourceKind(path) === "source",
)
const packages = [...Map.groupBy(lookedAt("source", sources), (path) => path.split("/", 2).join("/"))]

it(`no package has more than ${MAX_LINES} lines of source`, () => {
  const large = packages.flatMap(([name, files]) => {
    const lines = files.reduce((sum, path) => sum + readText(path).split("\n").length - 1, 0)
    return lines > (LARGER[name]?.lines ?? MAX_LINES) ? [`${name}: ${lines} lines`] : []
  })
  expect(large).toEqual([])
})

it(`no package has more than ${MAX_FOLDERS} folders at its top`, () => {
  const wide = packages.flatMap(([name, files]) => {
    const folders = new Set(files.flatMap((path) => /\/src\/([^/]+)\//.exec(path)?.[1] ?? []))
    return folders.size > (LARGER[name]?.folders ?? MAX_FOLDERS) ? [`${name}: ${folders.size} folders`] : []
  })
  expect(wide).toEqual([])
})
