import { readFile } from "node:fs/promises"
import process from "node:process"
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core"
import { problemKindInfo } from "@arethetypeswrong/core/problems"

// Prints where the types of packed packages differ from what Node and bundlers load, each as a line. Reaches no network.
// A program of its own, because the library leads to its sources under the condition `development`, which test runners set.

/** How programs that a package is for find its types. All packages are ES modules, for Node 24 or a bundler. */
const SUPPORTED: ReadonlySet<string> = new Set(["node16-esm", "bundler"])

for (const tarball of process.argv.slice(2)) {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
  // Programs have no types.
  const problems = checked.types === false ? [] : checked.problems.filter(isSupported)
  const lines = problems.map((problem) => {
    return `${checked.packageName}: ${pathOf(problem)}: ${problemKindInfo[problem.kind].description.replaceAll("**", "")}\n`
  })
  process.stdout.write([...new Set(lines)].join(""))
}

function isSupported(problem: Problem): boolean {
  // A problem of a file, such as an import that leads nowhere, is one for all programs.
  if ("resolutionKind" in problem) return SUPPORTED.has(problem.resolutionKind)
  return !("resolutionOption" in problem) || problem.resolutionOption !== "node10"
}

function pathOf(problem: Problem): string {
  if ("entrypoint" in problem) return `the entry ${problem.entrypoint}`
  const file = "fileName" in problem ? problem.fileName : "typesFileName" in problem ? problem.typesFileName : "a file"
  const path = file.replace(/^\/node_modules\/(?:@[^/]+\/)?[^/]+\//, "")
  return "moduleSpecifier" in problem ? `${path} imports ${problem.moduleSpecifier}` : path
}
