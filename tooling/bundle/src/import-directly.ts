import { readFile } from "node:fs/promises"
import type { Plugin, TransformPluginContext } from "rolldown"

/** Matches our own built modules, and not the libraries in `node_modules`. */
const OURS = /^(?!.*[\\/]node_modules[\\/]).*[\\/]dist[\\/].*\.js$/
const PACKAGE = /^@assay\//
/** Matches a module that is loaded later, and the names that are taken from it. */
const LATER = /const \{ ([\w, ]+) \} = await import\("(@assay\/[^"]+)"\)/g

/** Where a name comes from. */
interface Origin {
  readonly module: string
  readonly name: string
}

type Exports = ReadonlyMap<string, Origin>

/**
 * Creates a plugin that imports names of our packages from the modules that define them, and not from the index of the package. An index
 * imports all modules of its package. Without this, a command that needs one of them would load all of them. An index that is loaded later
 * stays if several modules define the names.
 */
export function importDirectly(): Plugin {
  const known = new Map<string, Promise<Exports | undefined>>()
  return {
    name: "import-directly",
    transform: {
      filter: { id: OURS, code: /(?:from |import\()"@assay\// },
      async handler(code, id) {
        const exportsOf = (module: string) => {
          const found = known.get(module) ?? readExports(this, module)
          known.set(module, found)
          return found
        }
        let changed = ""
        let end = 0
        for (const node of this.parse(code).body) {
          if (node.type !== "ImportDeclaration" || !PACKAGE.test(node.source.value)) continue
          const index = await this.resolve(node.source.value, id)
          const imports: string[] = []
          for (const specifier of node.specifiers) {
            if (index === null || specifier.type !== "ImportSpecifier") break
            const name = code.slice(specifier.imported.start, specifier.imported.end)
            const origin = await findOrigin({ module: index.id, name }, exportsOf)
            imports.push(`import { ${origin.name} as ${specifier.local.name} } from ${JSON.stringify(origin.module)};`)
          }
          if (imports.length < node.specifiers.length) continue
          changed += code.slice(end, node.start) + imports.join("")
          end = node.end
        }
        const rest = code.slice(end)
        const loads = [...rest.matchAll(LATER)].map(async ([load, names = "", name = ""]) => {
          const index = await this.resolve(name, id)
          const module = index === null ? undefined : await findModule(index.id, names.split(", "), exportsOf)
          return module === undefined ? load : load.replace(JSON.stringify(name), JSON.stringify(module))
        })
        const written = await Promise.all(loads)
        return { code: changed + rest.replaceAll(LATER, (load) => written.shift() ?? load) }
      },
    },
  }
}

/** Returns the module that defines all names of an index. Returns undefined if there are several, or if it has other names for them. */
async function findModule(
  index: string,
  names: readonly string[],
  exportsOf: (module: string) => Promise<Exports | undefined>,
): Promise<string | undefined> {
  const origins = await Promise.all(names.map((name) => findOrigin({ module: index, name }, exportsOf)))
  const [first] = origins
  const isSame = origins.every(({ module, name }, at) => module === first?.module && name === names[at])
  return isSame ? first?.module : undefined
}

async function findOrigin(
  { module, name }: Origin,
  exportsOf: (module: string) => Promise<Exports | undefined>,
): Promise<Origin> {
  const origin = (await exportsOf(module))?.get(name)
  return origin === undefined ? { module, name } : findOrigin(origin, exportsOf)
}

/** Returns the names that a module only passes on. Returns undefined if it does anything else. */
async function readExports(context: TransformPluginContext, module: string): Promise<Exports | undefined> {
  const exports = new Map<string, Origin>()
  if (!OURS.test(module)) return undefined
  for (const node of context.parse(await readFile(module, "utf8")).body) {
    if (node.type !== "ExportNamedDeclaration" || node.source === null) return undefined
    const from = await context.resolve(node.source.value, module)
    if (from === null) return undefined
    for (const { local, exported } of node.specifiers) {
      if (local.type !== "Identifier" || exported.type !== "Identifier") return undefined
      exports.set(exported.name, { module: from.id, name: local.name })
    }
  }
  return exports
}
