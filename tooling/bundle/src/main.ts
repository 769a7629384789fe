#!/usr/bin/env node
import process from "node:process"
import { bundleProgram } from "./bundle-program.ts"

const [entry, output] = process.argv.slice(2)
if (entry === undefined || output === undefined) {
  process.stderr.write("Usage: node main.ts ENTRY OUTPUT\n")
  process.exitCode = 2
} else {
  await bundleProgram({ entry, output })
}
