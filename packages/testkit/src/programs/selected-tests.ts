import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { argv } from "node:process"
import type { TestProject } from "vitest/node"

const PACKAGES = join(import.meta.dirname, "../../..")
const IMPORT = /(?:from|import\() ?"(\.[^"]+|@assay\/\w+\/testing)"/g

/**
 * Returns whether a test that was named on the command line injects a value, itself or through modules for tests. A `globalSetup` need not provide a
 * value that no test injects. True if no test was named, and if vitest watches, because any test may run then.
 */
export async function isInjected(project: TestProject, value: string): Promise<boolean> {
  const [command, ...words] = argv.slice(2)
  const named = words.filter((word) => !word.startsWith("-"))
  if (command !== "run" || named.length === 0) return true
  const { testFiles } = await project.globTestFiles(named)
  return reachesText(testFiles, `inject("${value}")`)
}

/** Returns whether a file contains a text, or a test or a module for tests that it imports does. */
export function reachesText(files: readonly string[], text: string): boolean {
  const waiting = [...files]
  const seen = new Set(waiting)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = readFileSync(file, "utf8")
    if (source.includes(text)) return true
    for (const [, name = ""] of source.matchAll(IMPORT)) {
      const found = fileOf(name, file)
      const isForTests = /\.test\.ts$|\/testing\//.test(found)
      if (!isForTests || seen.has(found) || !existsSync(found)) continue
      seen.add(found)
      waiting.push(found)
    }
  }
  return false
}

function fileOf(name: string, importer: string): string {
  if (name.startsWith(".")) return join(dirname(importer), name)
  return join(PACKAGES, name.split("/")[1] ?? "", "src/testing/index.ts")
}
