import { dirname, join } from "node:path"
import type { Plugin } from "rolldown"

/** The name of the module that the plugin adds to the folder of undici. */
const NAME = "only-agent.js"
/** The line with which its client loads HTTP/2: together with the module of Node, 5 ms of processor time. */
const HTTP_2 = "const connectH2 = require('./client-h2.js')"
/** Modules that `import` more of undici than the agent. They are loaded later than the first module of a program. */
const USES_ALL = /[\\/]node_modules[\\/]@kubernetes[\\/]client-node[\\/]/

/**
 * Creates a plugin that gives `import … from "undici"` the agent and its connector only, which is all that our packages use. The index
 * of undici loads five times as many modules, which takes 60 ms of processor time. The build fails if a module imports another name.
 * Libraries, which `require` it, get all of it, and so does the client of Kubernetes, which also uses its proxies and its `fetch`.
 * HTTP/2 is loaded with the first connection that uses it.
 */
export function onlyUndiciAgent(): Plugin {
  return {
    name: "only-undici-agent",
    resolveId: {
      filter: { id: /^undici$/ },
      async handler(source, importer, { kind }) {
        if (kind === "require-call" || USES_ALL.test(importer ?? "")) return undefined
        const index = await this.resolve(source, importer, { kind, skipSelf: true })
        return index === null ? null : join(dirname(index.id), NAME)
      },
    },
    transform: {
      filter: { id: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ },
      handler(code) {
        if (!code.includes(HTTP_2)) throw new Error(`The client of undici does not contain: ${HTTP_2}`)
        return code.replace(HTTP_2, "const connectH2 = (...args) => require('./client-h2.js')(...args)")
      },
    },
    load: {
      filter: { id: /[\\/]undici[\\/]only-agent\.js$/ },
      handler(id) {
        const lib = (path: string) => JSON.stringify(join(dirname(id), "lib", `${path}.js`))
        return [
          `import api from ${lib("api/index")}`,
          `import Dispatcher from ${lib("dispatcher/dispatcher")}`,
          `Object.assign(Dispatcher.prototype, api)`,
          `export { default as Agent } from ${lib("dispatcher/agent")}`,
          `export { default as buildConnector } from ${lib("core/connect")}`,
        ].join("\n")
      },
    },
  }
}
