import { existsSync } from "node:fs"
import { cp, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type OutputChunk, rolldown } from "rolldown"
import { collectLicenses } from "./collect-licenses.ts"
import { copyPackageFiles } from "./copy-package-files.ts"
import { findDeclarations } from "./find-declarations.ts"
import { onlyUndiciAgent } from "./only-undici-agent.ts"
import { replaceAddresses } from "./replace-addresses.ts"

export interface LibraryOptions {
  /** The folder of the built package. */
  readonly folder: string
  /** The built modules that users import, such as `dist/index.js`. */
  readonly entries: readonly string[]
  /** Names of the packages that are published beside it, which stay imports. */
  readonly siblings: readonly string[]
  /** The folder for the bundle. Its former content is removed. */
  readonly output: string
}

export interface BundledLibrary {
  /** The names of the packages that the bundle and its types import: siblings, and libraries whose types are part of its types. */
  readonly imports: readonly string[]
}

/**
 * Writes the modules and types of a package that its entries reach. Libraries become a part of it, so that an installation has few packages
 * and only the code that is used. A library stays an import if types of the package come from it: users pass its values.
 */
export async function bundleLibrary({ folder, entries, siblings, output }: LibraryOptions): Promise<BundledLibrary> {
  await rm(output, { recursive: true, force: true })
  const types = entries.map((entry) => entry.replace(/\.js$/, ".d.ts")).filter((path) => existsSync(join(folder, path)))
  const declared = await findDeclarations(folder, types)
  const kept = [...new Set([...siblings, ...declared.packages])]
  const packages = new Set<string>()
  const library = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.js$/, ""), join(folder, entry)])),
    platform: "node",
    external: (id) => kept.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [replaceAddresses((found) => packages.add(found)), onlyUndiciAgent()],
    onLog: (_level, log) => {
      // A module that an entry exports is in the first files anyway.
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return
      throw new Error(log.message)
    },
  })
  const written = await library.write({
    dir: output,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "dist/[name].js",
  })
  const chunks = written.output.filter((file): file is OutputChunk => file.type === "chunk")
  for (const path of declared.files) {
    await mkdir(dirname(join(output, path)), { recursive: true })
    await cp(join(folder, path), join(output, path))
  }
  const modules = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...(await copyPackageFiles(packages, output))]
  const licenses = await collectLicenses(modules)
  if (licenses !== "") await writeFile(join(output, "THIRD-PARTY-LICENSES.txt"), licenses)
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  const isUsed = (name: string) => imported.some((id) => id === name || id.startsWith(`${name}/`))
  return { imports: kept.filter((name) => declared.packages.includes(name) || isUsed(name)) }
}
