import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Package } from "./manifest.ts"
import { lastLines, type RunCommand } from "./run-command.ts"
import { stagePackage } from "./stage-package.ts"

/** The path of a tarball, or why there is none. */
export type Packed = { readonly tarball: string } | { readonly fault: string }

export interface PackOptions {
  /** The root of the repository. */
  readonly root: string
  /** The folder for the tarball. */
  readonly out: string
  readonly published: readonly Package[]
  readonly run: RunCommand
}

/** Packs a built package into a folder, with the files and the manifest that are published. */
export async function packPackage(one: Package, { root, out, published, run }: PackOptions): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), "assay-pack-"))
  try {
    const stage = join(folder, "package")
    await stagePackage(one, { root, stage, published })
    const packed = await run("pnpm", ["pack", "--json", "--pack-destination", out], stage)
    if (packed.code !== 0) return { fault: `${one.manifest.name} can't be packed: ${lastLines(packed)}` }
    const { filename }: { filename: string } = JSON.parse(packed.stdout)
    return { tarball: filename }
  } catch (error) {
    return { fault: `${one.manifest.name} can't be packed: ${error instanceof Error ? error.message : String(error)}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
