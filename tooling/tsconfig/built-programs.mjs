// Loaded into each worker of vitest by turbo, which has built everything before. A thread or process whose program is a source of ours
// loads hundreds of modules, which takes a second of processor time. In the bundle of the server it is one file, as users have it.
import childProcess from "node:child_process"
import { existsSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import workerThreads from "node:worker_threads"

const BUNDLED = "/apps/server/dist/bundle/files/@assay/"

/** Returns the build of a source of this repository, or what was passed if it is something else. */
function buildOf(program) {
  if (!(program instanceof URL)) return program
  const build = new URL(program.href.replace(/\/packages\/([^/]+)\/src\/(.+)\.ts$/, `${BUNDLED}$1/dist/$2.js`))
  return existsSync(build) ? build : program
}

const { Worker } = workerThreads
workerThreads.Worker = class extends Worker {
  constructor(program, options) {
    super(buildOf(program), options)
  }
}
const { fork } = childProcess
childProcess.fork = (program, ...rest) => fork(buildOf(program), ...rest)
syncBuiltinESMExports()
