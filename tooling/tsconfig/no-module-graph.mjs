// Loaded into each worker of vitest by turbo. Vitest sends each import of a worker to its main process, to know what to run again when
// a file changes. Nothing changes during a run, and the messages take a second of processor time in each worker.
import module, { syncBuiltinESMExports } from "node:module"

const { registerHooks } = module
/** A test file and the original of a mocked module have a mark in their address, which the hook of vitest removes. */
const isMarked = (specifier) => specifier.includes("vitest=") || specifier.includes("mock=")

module.registerHooks = ({ resolve, ...others }) =>
  registerHooks({
    ...others,
    resolve: (specifier, context, next) =>
      resolve !== undefined && isMarked(specifier) ? resolve(specifier, context, next) : next(specifier, context),
  })
syncBuiltinESMExports()
