#!/usr/bin/env node
import { nodeFault } from "./node-fault.ts"
import { isVersionAsked, readVersion } from "./read-version.ts"

// Nothing else is imported before the version is known: an older Node stops at the first module that it can't load, without saying why.
const fault = nodeFault(process.versions.node)
if (fault !== undefined) {
  process.stderr.write(`error: ${fault}\n`)
  process.exitCode = 2
} else if (isVersionAsked(process.argv.slice(2))) {
  process.stdout.write(`${readVersion()}\n`)
} else {
  const { start } = await import("./start.ts")
  await start()
}
