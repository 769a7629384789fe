import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { afterAll, describe, expect, it } from "vitest"
import { manifestFaults } from "./manifest-faults.ts"
import { packPackage } from "./pack-package.ts"
import { publishOrder, readPackages } from "./read-packages.ts"
import { createRunCommand } from "./run-command.ts"
import { tarballFaults } from "./tarball-faults.ts"

const root = resolve(import.meta.dirname, "../../..")
const run = createRunCommand(process.env)
const out = mkdtempSync(join(tmpdir(), "assay-real-packages-"))
const published = publishOrder(readPackages(root))

afterAll(() => {
  rmSync(out, { recursive: true, force: true })
})

describe("the packages of this repository", () => {
  it("have what a registry needs in their manifests", () => {
    expect(published.length).toBeGreaterThan(20)
    expect(published.flatMap(manifestFaults)).toEqual([])
  })

  it("are published after all packages that they need", () => {
    const names = published.map(({ manifest }) => manifest.name)
    const early = published.flatMap(({ manifest }, index) =>
      Object.keys(manifest.dependencies ?? {}).filter((name) => names.indexOf(name) > index),
    )
    expect(early).toEqual([])
  })

  it("become tarballs without faults, such as @assay/scoring, whose entry for tests leads to a source", async () => {
    const scoring = published.find(({ manifest }) => manifest.name === "@assay/scoring")
    if (scoring === undefined) throw new Error("@assay/scoring is not published")
    expect(scoring.manifest.exports).toHaveProperty(["./testing", "source"])
    const packed = await packPackage(scoring, { root, out, run })
    expect(packed).not.toHaveProperty("fault")
    if ("fault" in packed) return
    expect(await tarballFaults(packed.tarball, { run, machineFolders: [root] })).toEqual([])
  })
})
