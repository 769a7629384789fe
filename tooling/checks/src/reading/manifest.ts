import { lookedAt } from "./looked-at.ts"
import { repositoryFiles } from "./repository-files.ts"
import { readText } from "./repository.ts"

/** The fields of a `package.json` that the checks read. */
export interface Manifest {
  /** The folder of the package, from the root of the repository. */
  readonly folder: string
  /** The name after `@assay/`. */
  readonly short: string
  readonly name: string
  readonly version?: string
  readonly description: string
  readonly private?: boolean
  readonly type?: string
  readonly license?: string
  readonly main?: string
  readonly sideEffects?: boolean
  readonly files?: readonly string[]
  readonly engines?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const OURS = "@assay/"

/** Reads every manifest of packages, apps and tooling. @throws if there is none */
export function readManifests(): readonly Manifest[] {
  return lookedAt(
    "manifest",
    repositoryFiles(/^(packages|apps|tooling)\/[^/]+\/package\.json$/).map((path) => {
      const manifest: Omit<Manifest, "folder" | "short"> = JSON.parse(readText(path))
      return Object.assign(manifest, {
        folder: path.replace("/package.json", ""),
        short: manifest.name.slice(OURS.length),
      })
    }),
  )
}

/** Returns the names after `@assay/` of our packages among the dependencies. */
export function oursAmong(dependencies: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith(OURS))
    .map((name) => name.slice(OURS.length))
}
