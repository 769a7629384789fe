#!/usr/bin/env node
import process from "node:process"
import { bundleThread } from "./bundle-thread.ts"

const entries = process.argv.slice(2)
if (entries.length === 0) {
  process.stderr.write("Usage: node bundle-threads.ts ENTRY...\n")
  process.exitCode = 2
}
for (const entry of entries) await bundleThread(entry)
