/** Where an entry leads: a path, or a target for each condition. `null` forbids the entry. */
export type ExportTarget = string | null | { readonly [condition: string]: ExportTarget }

/** The fields of a `package.json` that a release reads or rewrites. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license?: string
  readonly keywords?: readonly string[]
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string }
  readonly files?: readonly string[]
  /** Commands of a program. */
  readonly bin?: Readonly<Record<string, string>>
  /** The files that a bundle copies beside the modules. */
  readonly bundle?: unknown
  readonly publishConfig?: { readonly access?: string }
  readonly exports?: Readonly<Record<string, ExportTarget>>
  readonly imports?: Readonly<Record<string, ExportTarget>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package of the repository. */
export interface Package {
  /** From the root of the repository, such as `packages/storage`. */
  readonly folder: string
  readonly manifest: Manifest
}
