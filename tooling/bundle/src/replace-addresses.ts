import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import type { Plugin } from "rolldown"
import { packageFolder, readManifest } from "./package-files.ts"

/** The folder of a bundle with the files that modules find by their address, in a folder for each package. */
export const FILES_FOLDER = "files"

/** Stands for the way from a file of the bundle to the folder of the bundle, until the file has a name. */
const ROOT = "bundle-root:"
const OURS = /^(?!.*[\\/]node_modules[\\/]).*[\\/]dist[\\/].*\.js$/
/** Matches the modules of libraries that read files beside their code. */
const READERS = /[\\/]@fastify[\\/]swagger-ui[\\/]/
const OWN_ADDRESS = /createRequire\(import\.meta\.url\)\.resolve\("([^"]+)\/package\.json"\)|import\.meta\.url/g

/**
 * Creates a plugin that gives modules the address of their copy in the folder `files` of the bundle. Modules use their address to find what
 * they start or read: programs of threads and processes, data, manifests. In a bundle it would be the address of the bundle.
 * @param found receives the folder of each package with such a module
 */
export function replaceAddresses(found: (folder: string) => void): Plugin {
  function addressIn(folder: string, file: string): string {
    found(folder)
    const path = [FILES_FOLDER, readManifest(folder).name, relative(folder, file).split(sep).join("/")].join("/")
    return `new URL(${JSON.stringify(`${ROOT}${path}`)}, import.meta.url)`
  }
  return {
    name: "replace-addresses",
    transform: {
      filter: { id: [OURS, READERS], code: /import\.meta\.url|__dirname/ },
      handler(code, id) {
        if (READERS.test(id)) {
          return { code: code.replaceAll("__dirname", pathOf(addressIn(packageFolder(id), dirname(id)))) }
        }
        const changed = code.replaceAll(OWN_ADDRESS, (_, name: string | undefined) => {
          if (name === undefined) return `${addressIn(packageFolder(id), id)}.href`
          const manifest = createRequire(id).resolve(`${name}/package.json`)
          return pathOf(addressIn(dirname(manifest), join(dirname(manifest), "package.json")))
        })
        return { code: changed }
      },
    },
    renderChunk(code, { fileName }) {
      const up = "../".repeat(fileName.split("/").length - 1)
      return code.includes(ROOT) ? { code: code.replaceAll(ROOT, up === "" ? "./" : up) } : undefined
    },
  }
}

function pathOf(address: string): string {
  return `globalThis.process.getBuiltinModule("node:url").fileURLToPath(${address})`
}
