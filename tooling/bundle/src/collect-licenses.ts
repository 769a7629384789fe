import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** Matches the folder of a library in the path of one of its modules. */
const LIBRARY = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

/** Returns the names, versions and license texts of the libraries that contain `modules`, which most licenses demand of copies. */
export async function collectLicenses(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((path) => LIBRARY.exec(path)?.[0] ?? []))
  const texts = await Promise.all([...folders].map(readLicense))
  return [...new Set(texts)].toSorted().join(`\n${"-".repeat(80)}\n\n`)
}

async function readLicense(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly name: string
    readonly version: string
    readonly license?: string
  }
  const names = (await readdir(folder)).filter((name) => /^(?:licen[cs]e|notice)\b/i.test(name)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return [`${manifest.name} ${manifest.version} (${manifest.license ?? "see below"})`, ...texts].join("\n\n")
}
