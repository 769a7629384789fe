import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import type { ExportTarget, Manifest } from "./manifest.ts"
import { lastLines, type RunCommand } from "./run-command.ts"

/** The patterns that no published file may contain: each pattern with the words of the message. */
const FORBIDDEN_PATHS: readonly (readonly [RegExp, string])[] = [
  [/\.(test|spec)\.|(^|\/)(__tests__|test|tests)\//, "is a test"],
  [/^src\/|(?<!\.d)\.[cm]?tsx?$/, "is a source"],
  [/\.tsbuildinfo$|(^|\/)\.(env|npmrc|cache)/, "belongs to this machine"],
]
const EXPECTED = ["package.json", "README.md", "LICENSE"]

export interface TarballContext {
  readonly run: RunCommand
  /** Folders of this machine that no published file may name. */
  readonly machineFolders: readonly string[]
}

/** Returns what is wrong with a packed package, each as a sentence. */
export async function tarballFaults(tarball: string, context: TarballContext): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "assay-tarball-"))
  try {
    const extracted = await context.run("tar", ["-xzf", tarball, "-C", folder], folder)
    if (extracted.code !== 0) return [`${tarball} can't be read: ${lastLines(extracted)}`]
    const root = join(folder, "package")
    const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const paths = listFiles(root)
    const faults = [
      ...pathFaults(paths),
      ...contentFaults(root, paths, context.machineFolders),
      ...packedManifestFaults(manifest),
      ...(await publintFaults(root)),
    ]
    return faults.map((fault) => `${manifest.name}: ${fault}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function listFiles(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted()
}

function pathFaults(paths: readonly string[]): readonly string[] {
  const missing = EXPECTED.filter((name) => !paths.includes(name)).map((name) => `${name} is missing.`)
  const forbidden = paths.flatMap((path) =>
    FORBIDDEN_PATHS.filter(([pattern]) => pattern.test(path)).map(([, fault]) => `${path} ${fault}.`),
  )
  return [...missing, ...forbidden]
}

function contentFaults(root: string, paths: readonly string[], folders: readonly string[]): readonly string[] {
  const escaped = folders.map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  // In `${setup}/root`, the folder is below another one that the code puts before it.
  const pattern = new RegExp(String.raw`(?:file://|(?<![\w./}-]))(?:${escaped.join("|")})(?=/)`)
  return paths.flatMap((path) => {
    const found = folders.length === 0 ? null : pattern.exec(readFileSync(join(root, path), "latin1"))
    return found === null ? [] : [`${path} names the folder ${found[0]} of this machine.`]
  })
}

function packedManifestFaults(manifest: Manifest): readonly string[] {
  const { dependencies, peerDependencies, exports = {}, imports = {} } = manifest
  const unresolved = Object.entries({ ...dependencies, ...peerDependencies })
    .filter(([, version]) => /^(workspace|catalog|link|file):/.test(version))
    .map(([needed, version]) => `the version of ${needed} is ${version}.`)
  const sources = Object.entries({ ...exports, ...imports })
    .filter(([, target]) => leadsToSource(target))
    .map(([entry]) => `the entry ${entry} leads to a source.`)
  return [...unresolved, ...sources, ...(manifest.devDependencies === undefined ? [] : ["it has devDependencies."])]
}

function leadsToSource(target: ExportTarget): boolean {
  if (target === null) return false
  if (typeof target === "string") return target.startsWith("./src/")
  return Object.entries(target).some(([condition, inner]) => condition === "source" || leadsToSource(inner))
}

async function publintFaults(root: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true, pack: false })
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
}
