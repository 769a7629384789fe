import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { rolldown } from "rolldown"
import { collectLicenses } from "./collect-licenses.ts"
import { importDirectly } from "./import-directly.ts"
import { keepModuleAddresses } from "./keep-module-addresses.ts"
import { onlyUndiciAgent } from "./only-undici-agent.ts"

/**
 * Replaces the built program of a thread or a process by one file with all of our modules that it uses, so that it starts quickly. The
 * libraries that its package declares stay imports, and the licenses of others are written beside it. Run in the folder of the package.
 */
export async function bundleThread(entry: string): Promise<void> {
  const file = resolve(entry)
  const { dependencies = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>
  }
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith("@assay/"))
  const program = await rolldown({
    input: { program: file },
    platform: "node",
    external: (id) => libraries.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepModuleAddresses(file), importDirectly(), onlyUndiciAgent()],
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
  const { output } = await program.generate({ format: "esm", codeSplitting: false })
  const [chunk, ...others] = output
  if (others.length > 0) throw new Error(`The bundle of ${entry} has more than one file.`)
  const temporary = `${file}.bundle`
  await writeFile(temporary, chunk.code)
  await rename(temporary, file)
  const licenses = await collectLicenses(chunk.moduleIds)
  if (licenses !== "") await writeFile(`${file}.licenses.txt`, licenses)
}
