import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { reachesText } from "./selected-tests.ts"

it("A text is found in a test and in the modules for tests that it imports, and in no other module", () => {
  using root = mkdtempDisposableSync(join(tmpdir(), "assay-selected-"))
  mkdirSync(join(root.path, "testing"))
  const write = (path: string, text: string) => writeFileSync(join(root.path, path), text)
  write("own.test.ts", 'inject("a")')
  write("through.test.ts", 'import { b } from "./testing/b.ts"')
  write("testing/b.ts", 'import { c } from "./c.ts"\nimport "./gone.ts"')
  write("testing/c.ts", 'import { b } from "./b.ts"\ninject("a")')
  write("plain.test.ts", 'import { d } from "./d.ts"')
  write("d.ts", 'inject("a")')
  const reaches = (name: string) => reachesText([join(root.path, name)], 'inject("a")')
  expect(["own.test.ts", "through.test.ts", "plain.test.ts"].map(reaches)).toEqual([true, true, false])
})

it("The database of the registry's tests is found behind the entry of another package", () => {
  const file = join(import.meta.dirname, "../../../database/src/records/compile-filter.test.ts")
  expect(reachesText([file], 'inject("postgresUrl")')).toBe(true)
})
