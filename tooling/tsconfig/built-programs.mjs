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

/** Returns the words of a command that starts a program from its build, if they name its source. */
function buildsOf(words) {
  if (!Array.isArray(words)) return words
  const at = words.indexOf("--conditions=source")
  const source = String(words[at + 1])
  const build = source.replace(/\/src\/main\.ts$/, "/dist/bundle/main.js")
  return at !== -1 && build !== source && existsSync(build) ? words.toSpliced(at, 2, build) : words
}

const { Worker } = workerThreads
workerThreads.Worker = class extends Worker {
  constructor(program, options) {
    super(buildOf(program), options)
  }
}
const { fork, spawn } = childProcess
childProcess.spawn = (file, words, ...rest) => spawn(file, buildsOf(words), ...rest)
childProcess.fork = (program, ...rest) => fork(buildOf(program), ...rest)
syncBuiltinESMExports()
