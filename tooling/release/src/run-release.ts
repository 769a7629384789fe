import { mkdirSync } from "node:fs"
import type { Package } from "./manifest.ts"
import { manifestFaults } from "./manifest-faults.ts"
import { packPackage } from "./pack-package.ts"
import { publishTarballs, type PackedPackage } from "./publish-tarballs.ts"
import { publishOrder, readPackages } from "./read-packages.ts"
import { repositoryFaults } from "./repository-faults.ts"
import type { RunCommand } from "./run-command.ts"
import { tarballFaults } from "./tarball-faults.ts"
import { typeFaults } from "./type-faults.ts"

export interface ReleaseOptions {
  /** The root of the repository. */
  readonly root: string
  /** An absolute path of a folder for the tarballs. It is created. */
  readonly out: string
  /** Does everything except publishing. */
  readonly isDryRun: boolean
  /** The first package to publish, if an earlier run stopped at it. Default: the first one. */
  readonly from?: string | undefined
  /** Folders of this machine that no published file may name. */
  readonly machineFolders: readonly string[]
  /** Builds the packages. Returns the faults. */
  readonly build: (packages: readonly Package[]) => Promise<readonly string[]>
  readonly run: RunCommand
  readonly log: (line: string) => void
}

/** Checks, builds, packs and publishes all packages that are not private. Returns the faults; without any, the release is done. */
export async function runRelease(options: ReleaseOptions): Promise<readonly string[]> {
  const { root, out, from, run, log } = options
  const packages = readPackages(root)
  const published = publishOrder(packages)
  const start = from === undefined ? 0 : published.findIndex(({ manifest }) => manifest.name === from)
  if (published.length === 0) return [`${root} has no package to publish.`]
  if (start === -1) return [`'${from}' is not a package that is published; name one of those that are.`]
  const faults = [...(await repositoryFaults(root, packages, run)), ...published.flatMap(manifestFaults)]
  if (faults.length > 0) return faults
  log(`Building ${published.length} packages.`)
  const buildFaults = await options.build(published)
  if (buildFaults.length > 0) return buildFaults
  mkdirSync(out, { recursive: true })
  const checked = await packAll(published, options)
  if (checked.faults.length > 0) return checked.faults
  const wrongTypes = await typeFaults(
    checked.packed.map(({ tarball }) => tarball),
    { run },
  )
  if (wrongTypes.length > 0) return wrongTypes
  log(`Packed and checked ${published.length} packages in ${out}.`)
  if (!options.isDryRun) return publishTarballs(checked.packed.slice(start), options)
  log(
    `Nothing was published. A real run publishes: ${published
      .slice(start)
      .map(({ manifest }) => manifest.name)
      .join(", ")}.`,
  )
  return []
}

async function packAll(packages: readonly Package[], { root, out, run, machineFolders }: ReleaseOptions) {
  const packed: PackedPackage[] = []
  const faults: string[] = []
  for (const one of packages) {
    const result = await packPackage(one, { root, out, published: packages, run })
    if ("fault" in result) faults.push(result.fault)
    else {
      packed.push({ name: one.manifest.name, tarball: result.tarball })
      faults.push(...(await tarballFaults(result.tarball, { run, machineFolders })))
    }
  }
  return { packed, faults }
}
