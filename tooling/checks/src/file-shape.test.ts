import { describe, expect, it } from "vitest"
import { nameFaults } from "./faults/name-faults.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { parseSource, readSource } from "./reading/source-file.ts"
import { sourceFaults } from "./faults/source-faults.ts"

const sources = repositoryFiles(/^(packages|apps|tooling)\/.*\.(ts|tsx|mjs)$/)

describe("names of files", () => {
  it("are rejected when vague or not in kebab-case", () => {
    expect(nameFaults("packages/storage/src/utils.ts")).toHaveLength(1)
    expect(nameFaults("packages/storage/src/helpers/a.ts")).toHaveLength(1)
    expect(nameFaults("packages/storage/src/filePath.ts")).toHaveLength(1)
    expect(nameFaults("packages/storage/src/file_path.ts")).toHaveLength(1)
    expect(nameFaults("packages/storage/src/file-path.test.ts")).toEqual([])
  })

  it("are meaningful words in kebab-case", () => {
    expect(sources.flatMap(nameFaults)).toEqual([])
  })
})

describe("sources", () => {
  it.each([
    ["const a = 1\n".repeat(301), "a.ts"],
    ["const a = 1\n".repeat(401), "a.test.ts"],
    ['export * from "./b.ts"', "a.ts"],
    ["export default 1", "a.ts"],
    ["class A {}", "a.ts"],
    ["const [WIDTH, HEIGHT] = [160, 18]", "a.ts"],
    ["// FIXME later", "a.ts"],
    ["// oxlint-disable-next-line no-console", "a.ts"],
    ["await mkdir(folder, { mode: 1, recursive: true })", "packages/a/src/a.ts"],
    ['it.only("a", () => {})', "a.test.ts"],
    ['describe.concurrent.skip("a", () => {})', "a.test.ts"],
    ['vi.mock("./b.ts")', "a.test.ts"],
  ])("are rejected for %j in %s", (text, path) => {
    expect(sourceFaults(parseSource(path, text))).toHaveLength(1)
  })

  it("are accepted if they follow the rules", () => {
    expect(sourceFaults(parseSource("vitest.config.ts", "export default 1"))).toEqual([])
    expect(sourceFaults(parseSource("a.ts", "export class A extends Error {}"))).toEqual([])
    expect(sourceFaults(parseSource("a.ts", "// oxlint-disable-next-line no-console -- a command prints"))).toEqual([])
    expect(sourceFaults(parseSource("a.test.ts", 'it.skipIf(isRoot)("a", () => {})'))).toEqual([])
  })

  it("follow the rules of all sources", () => {
    expect(sources.map(readSource).flatMap(sourceFaults)).toEqual([])
  })
})
