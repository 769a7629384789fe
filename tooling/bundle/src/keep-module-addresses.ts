import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import type { Plugin } from "rolldown"

/** Matches our own built modules, and not the libraries in `node_modules`. */
const OURS = /^(?!.*[\\/]node_modules[\\/]).*[\\/]dist[\\/].*\.js$/

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Returns the folder of the package that contains a module. */
function packageFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(join(folder, "package.json")) ? folder : packageFolder(folder)
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
}

/**
 * Creates a plugin that keeps the value of `import.meta.url` in our modules: the address of the module in its package. Modules use it
 * to find what they start or read: programs of threads and processes, data, manifests. In a bundle it would be the address of the bundle.
 *
 * The bundle finds these packages through the dependencies of the package of `entry`.
 */
export function keepModuleAddresses(entry: string): Plugin {
  const program = readManifest(packageFolder(resolve(entry)))
  const known = new Set([program.name, ...Object.keys(program.dependencies ?? {})])
  return {
    name: "keep-module-addresses",
    transform: {
      filter: { id: OURS, code: "import.meta.url" },
      handler(code, id) {
        const folder = packageFolder(id)
        const { name } = readManifest(folder)
        if (!known.has(name))
          throw new Error(`${program.name} must depend on ${name}, because ${id} uses import.meta.url.`)
        const path = relative(folder, id).split(sep).join("/")
        const address = `new URL(${JSON.stringify(path)}, import.meta.resolve(${JSON.stringify(`${name}/package.json`)})).href`
        return { code: code.replaceAll("import.meta.url", `(${address})`) }
      },
    },
  }
}
