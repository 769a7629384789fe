#!/usr/bin/env node
// Imports nothing before the version is known: an older Node stops at the first module that it can't load, without saying why.
const OLDEST_NODE = 24
const { node } = process.versions

if (Number(node.split(".")[0]) >= OLDEST_NODE) {
  const { start } = await import("./start.ts")
  await start()
} else {
  process.stderr.write(
    `assay needs Node ${OLDEST_NODE} or newer; this is Node ${node}. Install it from https://nodejs.org, or with a version manager: nvm install ${OLDEST_NODE}\n`,
  )
  process.exitCode = 1
}
