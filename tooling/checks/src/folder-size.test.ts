import { dirname } from "node:path"
import { expect, it } from "vitest"
import { repositoryFiles } from "./reading/repository-files.ts"

/** A larger folder hides two ideas. */
const MAX_FILES = 25

it("no folder of sources has more than 25 files", () => {
  const files = repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/src\/.*\.(ts|tsx)$/)
  // Tests do not count: the sources decide what a folder is about.
  const sources = files.filter((path) => !path.endsWith(".test.ts"))
  const sizes = Map.groupBy(sources, (path) => dirname(path))
  const large = [...sizes].filter(([, { length }]) => length > MAX_FILES)
  expect(large.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([])
})
