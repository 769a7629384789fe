import { readdir, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { writeHelp } from "../../help/write-help.ts"

it(
  "links of pages, forms and fields to the documentation lead to a page and to a place in it",
  verifies("console.guides"),
  async () => {
    const pages = new Map(
      writeHelp(fileURLToPath(new URL("../../../../docs", import.meta.url))).map(({ name, text }) => [name, text]),
    )
    const folder = fileURLToPath(new URL("../", import.meta.url))
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tsx"))
    const sources = await Promise.all(names.map((name) => readFile(folder + name, "utf8")))
    const links = sources.flatMap((text) =>
      [...text.matchAll(/ help="([^"]+)"|"\/help\/([^"]+)"/gu)].map(([, one, other]) => one ?? other ?? ""),
    )
    const fields = sources.flatMap((text) =>
      [...text.matchAll(/<FileField[^>]*? path=\{\["(\w+)"/gu)].map(
        ([, key]) => `reference/evaluation-file#key-${key}`,
      ),
    )
    expect(links.length).toBeGreaterThan(25)
    expect(fields.length).toBeGreaterThan(8)
    const isMissing = (link: string) => {
      const [page, place] = link.split("#")
      const text = pages.get(`help/${page}.html`)
      return text === undefined || (place !== undefined && !text.includes(` id="${place}"`))
    }
    expect([...links, ...fields].filter(isMissing)).toEqual([])
  },
)
