import { expect, it } from "vitest"
import { lookedAt } from "./reading/looked-at.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText } from "./reading/repository.ts"
import { sourceKind } from "./reading/source-kind.ts"

/** Doors below the apps: they read texts of users, of other programs and of other servers. */
const DOORS: readonly string[] = [
  // A job, a metric and a command name filesets, labels, programs, and files of this machine.
  "packages/evaluation/src/datasets/files-url.ts",
  "packages/evaluation/src/datasets/read-fileset-labels.ts",
  "packages/evaluation/src/programs/fileset-programs.ts",
  "packages/contents/src/local/open-local-path.ts",
  "packages/local/src/open-local-dataset.ts",
  // A header of tus, and the lines of a commit.
  "packages/registry/src/uploads/resumable/tus-headers.ts",
  "packages/hub/src/commits/receive-commit.ts",
  // The plan of a cut job, which is a file in a folder that others can write.
  "packages/local/src/cut-runs/copy-inputs.ts",
  // Names of files on the other side of a transfer.
  "packages/transfer/src/fileset/fileset-side.ts",
  "packages/transfer/src/fileset/open-fileset-storage.ts",
  "packages/transfer/src/folder/folder-side.ts",
]
/** Other files below the apps that parse a path which something else gave them. May be lowered. */
const MAX_FILES = 8

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

it(`paths are parsed at the door: at most ${MAX_FILES} other files of packages parse one`, () => {
  const sources = repositoryFiles(/^packages\/[^/]+\/src\/.*\.ts$/).filter(
    (path) => sourceKind(path) === "source" && path !== "packages/storage/src/file-path.ts",
  )
  const parsing = lookedAt("source", sources).filter((path) => PARSES_INPUT.test(readText(path)))
  expect(DOORS.filter((path) => !parsing.includes(path))).toEqual([])
  const others = parsing.filter((path) => !DOORS.includes(path))
  expect(others.length, others.join("\n")).toBeLessThanOrEqual(MAX_FILES)
})
