import { registerHooks } from "node:module"
import { join } from "node:path"
import { argv, env } from "node:process"
import { secondTries } from "./second-tries.ts"

export interface TestSettings {
  /** Test files that run side by side. Default: what vitest makes of the machine's processors. */
  readonly maxWorkers?: number
  /** Milliseconds that a test and a hook may take. Default 60,000. Those of long tests may take three times as many. */
  readonly timeout?: number
  /** Folders below the root whose tests run. Default: all. */
  readonly folders?: readonly string[]
}

/** Tests that kill programs again and again, install packages or take minutes. `npm run test:long` runs them, and `npm test` the others. */
const LONG = "*.long.test.ts"
/** Whether somebody names a long test on the command line. */
const isNamed = argv.some((word) => word.includes(".long"))
const isLong = env["ASSAY_LONG_TESTS"] === "1"

/** Returns the settings of vitest that every package shares. */
export function testSettings({ maxWorkers, timeout = 60_000, folders }: TestSettings = {}) {
  if (env["TURBO_HASH"] === undefined) readSources()
  // A long test starts many programs, so a busy machine slows it down most.
  const patience = isLong || isNamed ? 3 * timeout : timeout
  return {
    include: (folders ?? ["."]).map((folder) => join(folder, "**", isLong ? LONG : "*.test.ts")),
    exclude: ["**/node_modules/**", ...(isLong || isNamed ? [] : [`**/${LONG}`])],
    // Most packages have no long tests.
    passWithNoTests: isLong,
    // One worker loads what many test files import once.
    isolate: false,
    // Node strips types itself and keeps compiled modules in its cache. Vite would transform each module again for each run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Packages of the repository are read from their sources, so that nothing has to be built before a test.
    // Under turbo, which has built everything before, threads and processes start from their builds.
    execArgv: [
      "--conditions=source",
      // Most objects of a test live shortly. A young generation that is small at first is collected too often.
      "--min-semi-space-size=32",
      ...(env["TURBO_HASH"] === undefined ? [] : UNDER_TURBO.map((one) => `--import=${one}`)),
    ],
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: 15_000 } },
    // A change does not wait for the one test in thousands that fails on a busy machine. It is named at the end.
    ...(env["ASSAY_TEST_RETRIES"] === "1" ? { retry: 1, reporters: ["default", secondTries()] } : {}),
    // Packages that are built need no transformation.
    server: { deps: { external: [/\/dist\//] } },
    ...(maxWorkers === undefined ? {} : { maxWorkers }),
  }
}

/** Lets the process of vitest, in which `globalSetup` runs, read the packages of the repository from their sources, as its workers do. */
function readSources(): void {
  registerHooks({
    resolve: (name, context, next) =>
      next(name, name.startsWith("@assay/") ? { ...context, conditions: ["source", ...context.conditions] } : context),
  })
}

const UNDER_TURBO = [import.meta.resolve("./built-programs.mjs"), import.meta.resolve("./no-module-graph.mjs")]
