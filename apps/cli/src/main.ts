#!/usr/bin/env node
import { nodeFault } from "./node-fault.ts"

// Nothing else is imported before the version is known: an older Node stops at the first module that it can't load, without saying why.
const fault = nodeFault(process.versions.node)
if (fault === undefined) {
  const { start } = await import("./start.ts")
  await start()
} else {
  process.stderr.write(`error: ${fault}\n`)
  process.exitCode = 2
}
