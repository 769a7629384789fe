import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { COLOUR_STYLE, COMPONENT_STYLE } from "@assay/reports"
import { ERROR_CATALOGUE } from "@assay/schemas/errors"
import { defineConfig, type Plugin } from "vite"
import { writeHelp } from "./help/write-help.ts"

const REPORT_STYLE = "virtual:report-style.css"

const SHARED_PARTS = /\/console\/src\/(?:api|components|documents|numbers|table)\//u

/** Serves the style that reports share with the console as a file of CSS. */
function reportStyle(): Plugin {
  return {
    name: "report-style",
    resolveId: (id) => (id === REPORT_STYLE ? `\0${id}` : null),
    load: (id) => (id === `\0${REPORT_STYLE}` ? COLOUR_STYLE + COMPONENT_STYLE : null),
  }
}

const ERROR_WORDS = "virtual:error-words"
/** Codes whose words are needed while the server is away. */
const AWAY_CODES: ReadonlySet<string> = new Set(["server_unreachable", "unavailable"])

/** Leaves the words of the error catalogue to a file of its own, which is loaded with the first error. They are a twentieth of the first page. */
function errorWords(): Plugin {
  const entries = Object.entries(ERROR_CATALOGUE)
  const words = entries.map(([code, { meaning, remedy }]) => [code, { meaning, remedy }])
  const module = (name: string, values: (string | object)[][]) =>
    `export const ${name} = ${JSON.stringify(Object.fromEntries(values))}`
  /** Codes of one status and retry are one text, which takes a third of the bytes of their records. */
  const catalogue = (): string => {
    const others = entries.filter(([code]) => !AWAY_CODES.has(code))
    const groups = Map.groupBy(others, ([, { status, retry }]) => `${status} ${retry}`)
    const texts = [...groups.values()].map((group) => {
      const codes = group.map(([code]) => code).toSorted()
      return group.slice(0, 1).flatMap(([, { status, retry }]) => [status, retry, codes.join(" ")])
    })
    const whole = entries.filter(([code]) => AWAY_CODES.has(code))
    return `export const ERROR_CATALOGUE = Object.fromEntries([...${JSON.stringify(whole)}, ...${JSON.stringify(texts)}.flatMap(([status, retry, codes]) => codes.split(" ").map((code) => [code, { status, retry }]))])`
  }
  return {
    name: "error-words",
    resolveId: (id) => (id === ERROR_WORDS ? `\0${id}` : null),
    load(id) {
      if (id === `\0${ERROR_WORDS}`) return module("ERROR_WORDS", words)
      if (!/\/schemas\/(?:dist|src)\/errors\/error-catalogue\.[jt]s$/u.test(id)) return null
      return catalogue()
    },
  }
}

/** Makes the builder of schemas a namespace, so that the bundle has only those of its functions that schemas use. */
function usedTypes(): Plugin {
  return {
    name: "used-types",
    transform(code, id) {
      if (!id.endsWith("/typebox/build/esm/type/type/index.mjs")) return null
      const changed = code
        .replace("const Type = TypeBuilder;", "")
        .replace("export { Type };", "export { TypeBuilder as Type };")
      if (changed === code) this.error("The builder of schemas is another one than expected.")
      return { code: changed, map: null }
    },
  }
}

/** Writes the documentation as pages below `/help`. */
function help(): Plugin {
  return {
    name: "help",
    apply: "build",
    generateBundle() {
      const folder = fileURLToPath(new URL("../../docs", import.meta.url))
      for (const { name, text } of writeHelp(folder)) this.emitFile({ type: "asset", fileName: name, source: text })
    },
  }
}

/** Writes `x.br` and `x.gz` beside each text file, so that the server compresses nothing while it answers. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const gzipped = promisify(gzip)
  return {
    name: "compressed",
    apply: "build",
    // Only what was written is final: scripts still change while the bundle is put together.
    async writeBundle({ dir = "" }, bundle) {
      const files = Object.keys(bundle).filter((name) => /\.(?:js|css|html|svg|json)$/u.test(name))
      for (const name of files) {
        const file = join(dir, name)
        const source = await readFile(file)
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
          [constants.BROTLI_PARAM_LGBLOCK]: 20,
        }
        await writeFile(`${file}.br`, await brotli(source, { params }))
        await writeFile(`${file}.gz`, await gzipped(source))
      }
    },
  }
}

export default defineConfig({
  plugins: [reportStyle(), errorWords(), usedTypes(), help(), compressed()],
  // Elements are created by a module of the console, which shows the control characters of texts.
  oxc: { jsx: { runtime: "automatic", importSource: "#printable", development: false } },
  build: {
    target: "es2023",
    // Inline scripts and data URLs are refused by the content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Libraries mark their modules for frameworks that render on a server.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          groups: [
            // All that the first page loads in any case is one file, which compresses better than its parts.
            { name: "console", tags: ["$initial"], priority: 2 },
            // Fields, dialogs and tables of the other pages: alone, they would be forty files of a few hundred bytes, whose names the first page has.
            { name: "parts", test: SHARED_PARTS, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
