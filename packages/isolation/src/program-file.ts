import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"

/**
 * Returns the address of a program beside the module `base`: the TypeScript source if `base` is one, or the built file.
 */
export function programFile(name: string, base: string): URL {
  return new URL(`./${name}${base.endsWith(".ts") ? ".ts" : ".js"}`, base)
}

/**
 * Returns the options of Node for such a program. From source, it reads other packages from their sources, as this process does.
 */
export function programOptions(base: string): readonly string[] {
  return base.endsWith(".ts") ? ["--conditions=source"] : []
}

/**
 * Returns the environment of such a program when it is a process: only the folder in which this process keeps compiled modules,
 * if it does. The process then does not compile its modules again.
 */
export function programEnvironment(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Node adds a folder for its version itself.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
