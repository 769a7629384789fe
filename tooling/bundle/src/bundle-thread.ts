import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import { importDirectly } from "./import-directly.ts"
import { onlyUndiciAgent } from "./only-undici-agent.ts"
import { replaceAddresses } from "./replace-addresses.ts"

export interface ThreadFiles {
  /** The built first module of the thread or process. */
  readonly entry: string
  /** The folder of the bundle. */
  readonly output: string
  /** The path of the file in that folder. */
  readonly name: string
}

/**
 * Writes the program of a thread or a process as one file with all modules that it uses.
 * @param found receives the folder of each package whose modules use their address
 * @returns the paths of the modules
 */
export async function bundleThread(
  { entry, output, name }: ThreadFiles,
  found: (folder: string) => void,
): Promise<readonly string[]> {
  const program = await rolldown({
    input: { program: entry },
    platform: "node",
    plugins: [replaceAddresses(found), importDirectly(), onlyUndiciAgent()],
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
  const written = await program.generate({ format: "esm", codeSplitting: false, entryFileNames: name })
  const [chunk, ...others] = written.output
  if (others.length > 0) throw new Error(`The bundle of ${entry} has more than one file.`)
  await mkdir(dirname(join(output, name)), { recursive: true })
  await writeFile(join(output, name), chunk.code)
  return chunk.moduleIds
}
