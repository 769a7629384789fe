import { readFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { dirname, join, posix } from "node:path"

export interface Declarations {
  /** Paths of the files with types, from the folder of the package. */
  readonly files: readonly string[]
  /** Names of other packages whose types they use. */
  readonly packages: readonly string[]
}

const IMPORTED = /^(?:import|export)\b[^"';]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm
const PACKAGE_NAME = /^(?:@[^/]+\/)?[^/]+/

/** Finds the files with types that a package's entries reach. */
export async function findDeclarations(folder: string, entries: readonly string[]): Promise<Declarations> {
  const files = new Set(entries)
  const packages = new Set<string>()
  // A set visits what is added while it is read.
  for (const file of files) {
    const text = await readFile(join(folder, file), "utf8")
    for (const [, from, alone, inline] of text.matchAll(IMPORTED)) {
      const id = from ?? alone ?? inline ?? ""
      if (id.startsWith(".")) files.add(posix.join(dirname(file), id).replace(/\.(?:d\.)?[jt]s$/, ".d.ts"))
      else if (!isBuiltin(id)) packages.add(PACKAGE_NAME.exec(id)?.[0] ?? id)
    }
  }
  return { files: [...files], packages: [...packages] }
}
