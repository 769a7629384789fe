import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type OutputChunk, rolldown, type RolldownBuild, type RolldownOutput } from "rolldown"
import { collectLicenses } from "./collect-licenses.ts"
import { copyPackageFiles } from "./copy-package-files.ts"
import { importDirectly } from "./import-directly.ts"
import { loadBuiltins } from "./load-builtins.ts"
import { mergeFiles } from "./merge-files.ts"
import { onlyUndiciAgent } from "./only-undici-agent.ts"
import { replaceAddresses } from "./replace-addresses.ts"

/** Packages that are optional and that none of our programs needs. */
const ABSENT = ["pg-native"]
const OUTPUT = { format: "esm", chunkFileNames: "[name].js" } as const

export interface ProgramFiles {
  /** The built first module of the program. */
  readonly entry: string
  /** The folder for the bundle. Its former content is removed. */
  readonly output: string
}

/**
 * Writes a program and all modules that it uses as a few files. Modules that the program loads later stay in files of their own, or in
 * files with modules that are mostly loaded together with them. Node finds, reads and links a few files several times as fast as many.
 * The bundle needs no package: what its modules find by their address is copied into its folder `files`.
 */
export async function bundleProgram({ entry, output }: ProgramFiles): Promise<void> {
  await rm(output, { recursive: true, force: true })
  const split = chunksOf(await (await openProgram(entry, () => {})).generate(OUTPUT))
  const fileOf = groupModules(split)
  const groups = [{ debugName: "merged files", name: (module: string) => fileOf.get(module) ?? null }]
  const packages = new Set<string>()
  const program = await openProgram(entry, (folder) => packages.add(folder))
  const merged = await program.write({
    ...OUTPUT,
    dir: output,
    codeSplitting: { includeDependenciesRecursively: false, groups },
  })
  const chunks = chunksOf(merged)
  checkOrder(chunks)
  checkWaiting(chunks)
  const others = await copyPackageFiles(packages, output)
  const modules = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...others]
  await writeFile(join(output, "THIRD-PARTY-LICENSES.txt"), await collectLicenses(modules))
}

function openProgram(entry: string, found: (folder: string) => void): Promise<RolldownBuild> {
  return rolldown({
    input: { main: entry },
    platform: "node",
    external: ABSENT,
    // The first module exports nothing, and merged files may take what they need from it.
    preserveEntrySignatures: "allow-extension",
    plugins: [replaceAddresses(found), importDirectly(), onlyUndiciAgent(), loadBuiltins()],
    // A warning is a fault: a module that can't be found or used would fail only when a user needs it.
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
}

function chunksOf({ output }: RolldownOutput): readonly OutputChunk[] {
  return output.filter((file) => file.type === "chunk")
}

/** Returns the name of the merged file for each module that gets into one. */
function groupModules(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  // A module that is also needed at once is in a file of its own, and what `import()` names only imports that file.
  const facades = new Map(
    chunks.flatMap(({ fileName, moduleIds, imports }) =>
      moduleIds.length === 0 ? [[fileName, imports] as const] : [],
    ),
  )
  const files = chunks.map(({ fileName, code, imports, dynamicImports, isEntry, isDynamicEntry }) => ({
    name: fileName,
    size: code.length,
    imports,
    isEntry: isEntry || isDynamicEntry,
    later: dynamicImports.flatMap((name) => facades.get(name) ?? []),
  }))
  const modulesOf = new Map(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds]))
  return new Map(
    mergeFiles(files).flatMap((group, at) =>
      group.flatMap((name) => (modulesOf.get(name) ?? []).map((module) => [module, `shared-${at + 1}`] as const)),
    ),
  )
}

/** Throws if files import each other in a cycle: a module could then use another one that has not run yet. */
function checkOrder(chunks: readonly OutputChunk[]): void {
  const left = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  for (let size = -1; size !== left.size;) {
    size = left.size
    for (const [name, imports] of left) if (!imports.some((other) => left.has(other))) left.delete(name)
  }
  if (left.size > 0) throw new Error(`These files import each other: ${[...left.keys()].join(", ")}`)
}

/** Matches a line at the top level of a file that waits. */
const WAITS = /^(?![\s/*]).*\bawait\b/m

/**
 * Throws if a file waits at its top level, and one that it loads later needs something from it. That one waits for the end of the first file,
 * which can wait for it in turn: the program then ends without a word.
 */
function checkWaiting(chunks: readonly OutputChunk[]): void {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  for (const { fileName, dynamicImports, code } of chunks) {
    if (!WAITS.test(code)) continue
    const loaded = new Set(dynamicImports)
    for (const name of loaded) for (const one of importsOf(byName.get(name))) loaded.add(one)
    const waiting = [...loaded].filter((name) => byName.get(name)?.imports.includes(fileName))
    if (waiting.length === 0) continue
    throw new Error(
      `${fileName} waits at its top level, and these files need something from it: ${waiting.join(", ")}. Start its work in a function that is not awaited`,
    )
  }
}

function importsOf(chunk: OutputChunk | undefined): readonly string[] {
  return chunk === undefined ? [] : [...chunk.imports, ...chunk.dynamicImports]
}
