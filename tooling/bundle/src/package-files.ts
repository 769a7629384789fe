import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The fields of a `package.json` that the bundler reads. */
export interface BundledManifest {
  readonly name: string
  readonly version?: string
  readonly type?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly bundle?: {
    /** Built programs of threads and processes, which the package starts by their address. */
    readonly programs?: readonly string[]
    /** Other files and folders that the package reads by their address. A name may have `*`. */
    readonly files?: readonly string[]
  }
}

/** Files of libraries that read them by their address. Our own packages name theirs in `package.json`. */
const LIBRARY_FILES: Readonly<Record<string, readonly string[]>> = { "@fastify/swagger-ui": ["static"] }

/** Returns the folder of the package that contains a module. */
export function packageFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(join(folder, "package.json")) ? folder : packageFolder(folder)
}

export function readManifest(folder: string): BundledManifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as BundledManifest
}

/** Returns the programs and the other files that the modules of a package find by their address. */
export function addressedFiles({ name, bundle = {} }: BundledManifest): {
  readonly programs: readonly string[]
  readonly files: readonly string[]
} {
  const { programs = [], files = [] } = bundle
  return { programs, files: [...files, ...(LIBRARY_FILES[name] ?? [])] }
}
