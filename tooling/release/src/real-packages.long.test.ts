import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Manifest } from "./manifest.ts"
import { manifestFaults } from "./manifest-faults.ts"
import { packPackage } from "./pack-package.ts"
import { publishOrder, readPackages } from "./read-packages.ts"
import { createRunCommand } from "./run-command.ts"
import { tarballFaults } from "./tarball-faults.ts"
import { typeFaults } from "./type-faults.ts"

const MIB = 2 ** 20
const root = resolve(import.meta.dirname, "../../..")
const run = createRunCommand(process.env)
const out = mkdtempSync(join(tmpdir(), "assay-real-packages-"))
const published = publishOrder(readPackages(root))
const libraries = published.filter(({ manifest }) => manifest.bin === undefined)
const tarballs = new Map<string, string>()

/** Packs a library of somebody else as its registry has it, because a test reaches no registry. */
async function packOther(name: string): Promise<string> {
  const holder = libraries.find(({ folder }) => existsSync(join(root, folder, "node_modules", name)))
  const folder = join(root, holder?.folder ?? ".", "node_modules", name)
  const copy = mkdtempSync(join(out, "other-"))
  cpSync(realpathSync(folder), join(copy, "package"), { recursive: true })
  await run("tar", ["-czf", "packed.tgz", "package"], copy)
  return join(copy, "packed.tgz")
}

async function readPacked(name: string): Promise<Manifest> {
  const { stdout } = await run("tar", ["-xzOf", tarballs.get(name) ?? "", "package/package.json"], out)
  return JSON.parse(stdout) as Manifest
}

/** Returns the packages that an installation of one consists of, and their bytes. */
function installedWith(folder: string, name: string) {
  const names = new Set([name])
  // A set visits what is added while it is read.
  for (const one of names) {
    const path = join(folder, "node_modules", one, "package.json")
    const { dependencies = {} }: Manifest = JSON.parse(readFileSync(path, "utf8"))
    for (const needed of Object.keys(dependencies)) names.add(needed)
  }
  const bytes = [...names].reduce((sum, one) => sum + sizeOf(join(folder, "node_modules", one)), 0)
  return { packages: names.size, bytes }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Installs packed packages in a new folder, without a registry. */
async function install(names: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(out, "install-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const files = names.map((name) => tarballs.get(name) ?? "")
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", ...files]
  const installed = await run("npm", args, folder)
  expect(installed).toMatchObject({ code: 0 })
  return folder
}

/** Starts an installed program, and returns the answer to a request at the address that it prints. */
async function answerOf(program: string, args: readonly string[], path: string, init: RequestInit): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    let printed = ""
    for await (const text of child.stdout.setEncoding("utf8")) {
      printed += String(text)
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (address !== undefined) return await (await fetch(`${address}${path}`, init)).text()
    }
    throw new Error(`The program ended: ${printed}`)
  } finally {
    child.kill("SIGTERM")
  }
}

beforeAll(async () => {
  for (const one of published) {
    const packed = await packPackage(one, { root, out, published, run })
    if ("fault" in packed) throw new Error(packed.fault)
    tarballs.set(one.manifest.name, packed.tarball)
  }
}, 120_000)

afterAll(() => {
  rmSync(out, { recursive: true, force: true })
})

describe("the packages of this repository", () => {
  it("have what a registry needs in their manifests, and are published after all packages that they need", () => {
    expect(published.length).toBeGreaterThan(12)
    expect(published.flatMap(manifestFaults)).toEqual([])
    const names = published.map(({ manifest }) => manifest.name)
    const early = published.flatMap(({ manifest }, index) =>
      Object.keys(manifest.dependencies ?? {}).filter((name) => names.indexOf(name) > index),
    )
    expect(early).toEqual([])
  })

  it("become tarballs without faults", async () => {
    for (const tarball of tarballs.values()) {
      expect(await tarballFaults(tarball, { run, machineFolders: [root] })).toEqual([])
    }
  })

  it("have types that programs find", async () => {
    expect(await typeFaults([...tarballs.values()], { run })).toEqual([])
  })

  it("install with at most 12 packages and 20 MiB, and can be imported", async () => {
    const others = new Set<string>()
    for (const { manifest } of libraries) {
      for (const name of Object.keys((await readPacked(manifest.name)).dependencies ?? {})) {
        if (!tarballs.has(name)) others.add(name)
      }
    }
    for (const name of others) tarballs.set(name, await packOther(name))
    const names = libraries.map(({ manifest }) => manifest.name)
    const folder = await install([...names, ...others])
    for (const name of names) {
      const { packages, bytes } = installedWith(folder, name)
      expect(`${name}: ${packages <= 12 ? "few" : packages} packages, ${bytes <= 20 * MIB ? "few" : bytes} bytes`).toBe(
        `${name}: few packages, few bytes`,
      )
    }
    const program = names.map((name) => `if (Object.keys(await import("${name}")).length === 0) throw "${name}"`)
    writeFileSync(join(folder, "import-all.js"), program.join("\n"))
    expect(await run(process.execPath, ["import-all.js"], folder)).toMatchObject({ code: 0 })
  })

  it("are a program of one package and at most 45 MiB", async () => {
    const folder = await install(["@assay/cli"])
    expect(readdirSync(join(folder, "node_modules/@assay"))).toEqual(["cli"])
    expect(sizeOf(join(folder, "node_modules"))).toBeLessThan(45 * MIB)
    const program = join(folder, "node_modules/.bin/assay")
    const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8")) as Manifest
    expect(await run(process.execPath, [program, "--version"], folder)).toMatchObject({ stdout: `${version}\n` })
    const serve = ["serve", "--port", "0", "--data-dir", join(folder, "data")]
    expect(await answerOf(program, serve, "/", { headers: { accept: "text/html" } })).toContain("<title>Assay</title>")
    const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "a word" }] })
    const asked = { method: "POST", headers: { "content-type": "application/json" }, body }
    const fake = ["fake-endpoint", "--port", "0"]
    expect(await answerOf(program, fake, "/v1/chat/completions", asked)).toContain('"content":"a word"')
  })
})
