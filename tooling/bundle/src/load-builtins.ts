import { isBuiltin } from "node:module"
import type { Plugin } from "rolldown"

/** Matches the imports of a chunk, which the bundler writes first. To parse the rest takes most of the time of a bundle. */
const IMPORTS = /^(?:(?:#!|\/\/)[^\n]*\n|import\s[^;]*;\n)*/

/**
 * Creates a plugin that loads modules of Node by `process.getBuiltinModule` instead of `import`. An import reads every export of a
 * module, and reading some of them loads others: `import … from "node:http"` loads the `fetch` and the WebSocket of Node, which takes
 * 40 ms. Imports of a whole namespace stay as they are.
 */
export function loadBuiltins(): Plugin {
  return {
    name: "load-builtins",
    renderChunk(code) {
      let changed = ""
      let end = 0
      for (const node of this.parse(IMPORTS.exec(code)?.[0] ?? "").body) {
        if (node.type !== "ImportDeclaration" || !isBuiltin(node.source.value)) continue
        const targets = node.specifiers.map((specifier) => {
          if (specifier.type === "ImportNamespaceSpecifier") return undefined
          const { local } = specifier
          if (specifier.type === "ImportDefaultSpecifier") return local.name
          const name = code.slice(specifier.imported.start, specifier.imported.end)
          return name === "default" ? local.name : `{ ${name}: ${local.name} }`
        })
        if (targets.includes(undefined)) continue
        const load = `globalThis.process.getBuiltinModule(${JSON.stringify(node.source.value)})`
        changed += code.slice(end, node.start)
        changed += targets.map((target) => `const ${target} = ${load};`).join("\n")
        end = node.end
      }
      return { code: changed + code.slice(end) }
    },
  }
}
