import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { COLOUR_STYLE, COMPONENT_STYLE } from "@assay/reports"
import { defineConfig, type Plugin } from "vite"

const REPORT_STYLE = "virtual:report-style.css"

/** Serves the style that reports share with the console as a file of CSS. */
function reportStyle(): Plugin {
  return {
    name: "report-style",
    resolveId: (id) => (id === REPORT_STYLE ? `\0${id}` : null),
    load: (id) => (id === `\0${REPORT_STYLE}` ? COLOUR_STYLE + COMPONENT_STYLE : null),
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
      const files = Object.keys(bundle).filter((name) => /\.(?:js|css|html|svg)$/u.test(name))
      for (const name of files) {
        const file = join(dir, name)
        const source = await readFile(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length }
        await writeFile(`${file}.br`, await brotli(source, { params }))
        await writeFile(`${file}.gz`, await gzipped(source))
      }
    },
  }
}

export default defineConfig({
  plugins: [reportStyle(), compressed()],
  // Elements are created by a module of the console, which shows the control characters of texts.
  oxc: { jsx: { runtime: "automatic", importSource: "#printable", development: false } },
  build: {
    target: "es2023",
    // Inline scripts and data URLs are refused by the content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Libraries mark their modules for frameworks that render on a server.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
