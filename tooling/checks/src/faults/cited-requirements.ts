import { citations } from "./citations.ts"
import { lookedAt } from "../reading/looked-at.ts"
import { repositoryFiles } from "../reading/repository-files.ts"
import { readSource } from "../reading/source-file.ts"
import { sourceKind } from "../reading/source-kind.ts"

const OWN_TEST = "tooling/checks/src/requirements.test.ts"

/** Reads the requirement ids that the tests of this repository cite. @throws if no test cites one */
export function citedRequirements(): readonly string[] {
  const tests = repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/src\/.*\.tsx?$/).filter(
    (path) => sourceKind(path) !== "source" && path !== OWN_TEST,
  )
  return lookedAt(
    "citation",
    tests.flatMap((path) => citations(readSource(path))),
  )
}
