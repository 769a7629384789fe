import { cp, glob, mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { bundleThread } from "./bundle-thread.ts"
import { addressedFiles, readManifest } from "./package-files.ts"
import { FILES_FOLDER } from "./replace-addresses.ts"

/**
 * Copies into a bundle the files that modules of packages find by their address, and bundles the programs among them. A program can use
 * further packages in the same way.
 * @returns the paths of all modules of the programs
 */
export async function copyPackageFiles(packages: Iterable<string>, output: string): Promise<readonly string[]> {
  const folders = new Set(packages)
  const modules: string[] = []
  // A set visits what is added while it is read.
  for (const folder of folders) {
    const manifest = readManifest(folder)
    const { programs, files } = addressedFiles(manifest)
    const target = join(FILES_FOLDER, manifest.name)
    const { name, version, type } = manifest
    await mkdir(join(output, target), { recursive: true })
    await writeFile(join(output, target, "package.json"), `${JSON.stringify({ name, version, type })}\n`)
    for await (const file of glob([...files], { cwd: folder })) {
      const copy = join(output, target, file)
      await mkdir(dirname(copy), { recursive: true })
      await cp(join(folder, file), copy, { recursive: true, filter: (path) => !path.endsWith(".map") })
    }
    for (const program of programs) {
      const file = { entry: join(folder, program), output, name: join(target, program) }
      modules.push(...(await bundleThread(file, (other) => folders.add(other))))
    }
  }
  return modules
}
