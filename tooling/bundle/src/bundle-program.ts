import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { collectLicenses } from "./collect-licenses.ts"
import { keepModuleAddresses } from "./keep-module-addresses.ts"
import { loadBuiltins } from "./load-builtins.ts"
import { onlyUndiciAgent } from "./only-undici-agent.ts"

/** Packages that are optional and that none of our programs needs. */
const ABSENT = ["pg-native"]

export interface ProgramFiles {
  /** The built first module of the program. */
  readonly entry: string
  /** The folder for the bundle. Its former content is removed. */
  readonly output: string
}

/**
 * Writes a program and all modules that it uses as a few files. Modules that the program loads later stay in files of their own.
 * Node finds, reads and compiles a few files several times as fast as many hundred.
 */
export async function bundleProgram({ entry, output }: ProgramFiles): Promise<void> {
  await rm(output, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: entry },
    platform: "node",
    external: ABSENT,
    plugins: [keepModuleAddresses(entry), onlyUndiciAgent(), loadBuiltins()],
    // A warning is a fault: a module that can't be found or used would fail only when a user needs it.
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
  const { output: files } = await bundle.write({ dir: output, format: "esm", chunkFileNames: "[name].js" })
  const modules = files.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  await writeFile(join(output, "THIRD-PARTY-LICENSES.txt"), await collectLicenses(modules))
}
