import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, posix } from "node:path"
import { afterAll, expect, it } from "vitest"
import { codeBlocks } from "./reading/code-blocks.ts"
import { lookedAt } from "./reading/looked-at.ts"
import { readManifests, type Manifest } from "./reading/manifest.ts"
import { repositoryFiles } from "./reading/repository-files.ts"
import { readText, REPOSITORY_ROOT } from "./reading/repository.ts"

const folder = join(REPOSITORY_ROOT, "tooling/checks/.cache/examples")
const typescript = createRequire(import.meta.url).resolve("typescript/package.json")

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Returns each name under which a package can be imported, with the types of this name. */
function typesOf({ name, folder, exports = {} }: Manifest): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = typeof target === "string" ? undefined : target["types"]
    return types === undefined ? [] : [[posix.join(name, subpath), [join(REPOSITORY_ROOT, folder, types)]] as const]
  })
}

/** Compiles each example as a separate module against the built packages, and returns what the compiler prints. */
function compile(examples: readonly string[]): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const settings = {
    extends: "@assay/tsconfig/check.json",
    compilerOptions: {
      rootDir: REPOSITORY_ROOT,
      paths: Object.fromEntries(readManifests().flatMap(typesOf)),
    },
    include: ["*.ts"],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
  for (const [index, code] of examples.entries())
    writeFileSync(join(folder, `example-${index}.ts`), `${code}\nexport {}\n`)
  const { stdout } = spawnSync(process.execPath, [join(dirname(typescript), "bin/tsc"), "-p", folder], {
    encoding: "utf8",
  })
  return stdout
}

/** A fault that the compiler finds only if it compiles the examples against the packages. */
const FAULTY = 'import { fileUrl } from "@assay/schemas"\nfileUrl(1)'

it("The examples in the pages are right in their types, unlike a faulty one", () => {
  const examples = repositoryFiles(/\.md$/).flatMap((path) =>
    codeBlocks(readText(path), "ts").map((code) => `// ${path}\n${code}`),
  )
  const faults = compile([FAULTY, ...lookedAt("example", examples)])
    .trimEnd()
    .split(/\n(?! )/)
  expect(faults).toEqual([expect.stringMatching(/example-0\.ts.*TS2554/)])
})
