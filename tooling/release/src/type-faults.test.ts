import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"
import { createRunCommand } from "./run-command.ts"
import { typeFaults } from "./type-faults.ts"

const run = createRunCommand(process.env)

/** Packs a package with one module, whose types are as given. */
async function pack(folder: string, name: string, types: string): Promise<string> {
  const manifest = {
    name: `@fixture/${name}`,
    version: "1.0.0",
    type: "module",
    exports: { types: "./index.d.ts", default: "./index.js" },
  }
  mkdirSync(join(folder, name, "package"), { recursive: true })
  const files = { "package.json": JSON.stringify(manifest), "index.js": "export const two = 2\n", "index.d.ts": types }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, "package", file), text)
  await run("tar", ["-czf", "packed.tgz", "package"], join(folder, name))
  return join(folder, name, "packed.tgz")
}

it("finds types that programs can't resolve, in any of several packages", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-types-"))
  const good = await pack(folder.path, "good", "export declare const two: number\n")
  const bad = await pack(folder.path, "bad", 'export { two } from "./absent.js"\n')
  expect(await typeFaults([good, bad], { run })).toEqual([
    expect.stringMatching(/^@fixture\/bad: index\.d\.ts imports \.\/absent\.js: Import .*failed to resolve/),
  ])
})

it("says why a tarball can't be checked", async () => {
  expect(await typeFaults(["/nowhere.tgz"], { run })).toEqual([expect.stringMatching(/can't be checked: .*ENOENT/s)])
})
