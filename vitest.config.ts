import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { testSettings } from "./tooling/tsconfig/vitest.ts"

const FOLDER = join(import.meta.dirname, "packages")

/** Packages that have no task of their own for tests. Together they load vitest and the lower floors once, which takes longer than many of their tests. */
const together = readdirSync(FOLDER).filter((name) => !runsAlone(name))

function runsAlone(name: string): boolean {
  const { scripts } = JSON.parse(readFileSync(join(FOLDER, name, "package.json"), "utf8")) as {
    readonly scripts?: { readonly test?: string }
  }
  return scripts?.test !== undefined
}

const settings = testSettings({ maxWorkers: 2, folders: together.map((name) => `packages/${name}/src`) })

export default defineConfig({ test: settings })
