import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { bundleLibrary } from "@assay/bundle"
import type { Manifest, Package } from "./manifest.ts"
import { entryModules, publishedManifest } from "./published-manifest.ts"

export interface StageOptions {
  /** The root of the repository. */
  readonly root: string
  /** The folder for the files of the package. Its former content is removed. */
  readonly stage: string
  /** All packages that are published. */
  readonly published: readonly Package[]
}

/**
 * Writes the files of a built package as they are published. A library gets the modules and types that its entries reach, with the libraries that
 * it uses as a part of it. A program, which has a `bin`, gets its bundle and needs no package at all.
 */
export async function stagePackage(one: Package, { root, stage, published }: StageOptions): Promise<void> {
  const folder = join(root, one.folder)
  const { manifest } = one
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  const imports = manifest.bin === undefined ? await stageLibrary(one, { root, stage, published }) : []
  for (const path of Object.values(manifest.bin ?? {})) {
    cpSync(join(folder, dirname(path)), join(stage, dirname(path)), { recursive: true })
  }
  for (const name of ["README.md", "LICENSE"]) {
    const file = [join(folder, name), join(root, name)].find((path) => existsSync(path))
    if (file !== undefined) cpSync(file, join(stage, name))
  }
  const dependencies = Object.fromEntries(imports.map((name) => [name, versionOf(name, folder)]))
  const text = JSON.stringify(publishedManifest(manifest, dependencies), undefined, 2)
  writeFileSync(join(stage, "package.json"), `${text}\n`)
}

async function stageLibrary(one: Package, { root, stage, published }: StageOptions): Promise<readonly string[]> {
  const siblings = published.map(({ manifest }) => manifest.name).filter((name) => name !== one.manifest.name)
  const folder = join(root, one.folder)
  const { imports } = await bundleLibrary({ folder, entries: entryModules(one.manifest), siblings, output: stage })
  return imports.toSorted()
}

/** Returns the exact version of a package that is installed for another one. */
function versionOf(name: string, folder: string): string {
  const { version }: Manifest = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))
  return version
}
