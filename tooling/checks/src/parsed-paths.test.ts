import { expect, it } from "vitest"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"
import { sourceKind } from "./reading/source-kind.ts"

/** Files below the apps that parse a path which something else gave them. Routes and commands parse the paths of callers. May be lowered. */
const MAX_FILES = 27

/** A path that the program itself has, such as `"plan.json"` or a constant, is not an input. */
const PARSES_INPUT = /\bparse(?:New)?FilePath\((?!["`]|[A-Z_]+\))/

it("tells a path that is given from one that is written in the program", () => {
  const found = [
    "parseFilePath(path)",
    "parseFilePath(FILE)",
    'parseFilePath("plan.json")',
    "parseFilePath(`done/${n}.json`)",
  ] as const
  expect(found.map((text) => PARSES_INPUT.test(text))).toEqual([true, false, false, false])
})

it(`paths are parsed at the door: at most ${MAX_FILES} files of packages parse one`, () => {
  const sources = repositoryFiles(/^packages\/[^/]+\/src\/.*\.ts$/).filter(
    (path) => sourceKind(path) === "source" && path !== "packages/storage/src/file-path.ts",
  )
  const parsing = lookedAt("source", sources).filter((path) => PARSES_INPUT.test(readText(path)))
  expect(parsing.length, parsing.join("\n")).toBeGreaterThan(0)
  expect(parsing.length, parsing.join("\n")).toBeLessThanOrEqual(MAX_FILES)
})
