import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { bundleLibrary } from "./bundle-library.ts"

const FILES: Readonly<Record<string, string>> = {
  "one/package.json": JSON.stringify({ name: "one", type: "module", bundle: { programs: ["dist/thread.js"] } }),
  "one/dist/index.js": [
    'import { third } from "third"',
    'import { typed } from "typed"',
    'import { two } from "two/part"',
    'export const all = () => [third, typed, two, new URL("./thread.js", import.meta.url).href]',
  ].join("\n"),
  "one/dist/index.d.ts": 'import type { Typed } from "typed";\nexport { all } from "./all.ts";\n',
  "one/dist/all.d.ts":
    '/** Not from "comment". */\nexport declare const all: () => readonly import("typed").Typed[];\n',
  "one/dist/left.d.ts": 'import type { Third } from "third";\n',
  "one/dist/left.js": "export const left = 1\n",
  "one/dist/thread.js": 'import { third } from "third"\nconsole.log(third)\n',
  "one/node_modules/third/package.json": JSON.stringify({ name: "third", version: "2.0.0", license: "MIT" }),
  "one/node_modules/third/index.js": "exports.third = 3\n",
  "one/node_modules/typed/package.json": JSON.stringify({ name: "typed", version: "1.0.0" }),
  "one/node_modules/typed/index.js": "exports.typed = 1\n",
  "two/package.json": JSON.stringify({ name: "two", type: "module", exports: { "./part": "./part.js" } }),
  "two/part.js": "export const two = 2\n",
}

it("a library contains the modules, types and libraries that its entry reaches, and imports its siblings and the types of others", async () => {
  const root = await mkdtemp(join(tmpdir(), "library-"))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await symlink(join(root, "two"), join(root, "one/node_modules/two"))
  const [folder, output] = [join(root, "one"), join(root, "one/published")]
  const bundled = await bundleLibrary({ folder, entries: ["dist/index.js"], siblings: ["two", "unused"], output })
  expect(bundled.imports.toSorted()).toEqual(["two", "typed"])
  expect((await readdir(output, { recursive: true })).toSorted()).toEqual([
    "THIRD-PARTY-LICENSES.txt",
    "dist",
    "dist/all.d.ts",
    "dist/index.d.ts",
    "dist/index.js",
    "files",
    "files/one",
    "files/one/dist",
    "files/one/dist/thread.js",
    "files/one/package.json",
  ])
  await rm(join(folder, "node_modules/third"), { recursive: true })
  const { all } = (await import(join(output, "dist/index.js"))) as { readonly all: () => readonly unknown[] }
  expect(all().slice(0, 3)).toEqual([3, 1, 2])
  expect(String(all()[3])).toBe(`file://${join(output, "files/one/dist/thread.js")}`)
  expect(await readFile(join(output, "THIRD-PARTY-LICENSES.txt"), "utf8")).toContain("third 2.0.0")
})
