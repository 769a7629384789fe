import { readFile } from "node:fs/promises"
import { STORAGE_TYPES } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { STORAGE_CAPABILITIES } from "./storage.ts"

const PAGE = new URL("../../../docs/concepts/storage.md", import.meta.url)
/** The columns of the page's table, from the third. The page says more about digests than yes and no. */
const COLUMNS = ["write", "delete", "rangedRead", "conditionalWrite", undefined, "revisions"] as const

describe("the capabilities of storages", () => {
  it("are the same as on the documentation page, for every type", async () => {
    const page = await readFile(PAGE, "utf8")
    const rows = [...page.matchAll(/^\| \[`(\w+)`\]\(\S+\)\s*\|(.+)\|$/gm)]
    const shown = rows.map(([, type, cells = ""]) => {
      const [, ...values] = cells.split("|").map((cell) => cell.trim())
      const named = COLUMNS.flatMap((name, at) =>
        name === undefined ? [] : [[name, !/^(no|–)$/.test(values[at] ?? "")]],
      )
      return [type, Object.fromEntries(named)]
    })
    expect(rows.map(([, type = ""]) => type).toSorted()).toEqual(STORAGE_TYPES.toSorted())
    expect(STORAGE_CAPABILITIES).toMatchObject(Object.fromEntries(shown))
  })
})
