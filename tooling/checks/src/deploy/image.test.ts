import { mkdtempSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildImage, whyNoImage, type BuiltImage } from "./build-image.ts"
import { outputOf, runInImage } from "./run-image.ts"

const NODE = "/nodejs/bin/node"

/** A build takes half a minute, and longer beside other tests. */
const BUILD_MS = 300_000

/** Prints who it is, and which places can be written. */
const LOOK = `const { writeFileSync } = require("node:fs")
const { tmpdir } = require("node:os")
const isWritten = (path) => { try { writeFileSync(path, ""); return true } catch { return false } }
const places = ["/a", "/app/a", "/nodejs/a", tmpdir() + "/a", "/var/lib/assay/a"]
console.log(JSON.stringify({ user: process.getuid(), group: process.getgid(), written: places.map(isWritten) }))`

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
  })
  return promise
}

const reason = whyNoImage()

if (reason !== undefined) console.warn(`The image of the Containerfile is not built: ${reason}.`)

describe.skipIf(reason !== undefined)("the image of the Containerfile", () => {
  let folder: string
  let image: BuiltImage
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-image-"))
    image = await buildImage(folder)
  }, BUILD_MS)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("runs as a user without rights, and writes only to its volume and /tmp", async () => {
    const { code, output } = await outputOf(runInImage(image, [NODE, "-e", LOOK]))
    expect(code).toBe(0)
    expect(JSON.parse(output)).toEqual({ user: 65_532, group: 65_532, written: [false, false, false, true, true] })
    // A new volume gets the owner of the folder in the image.
    expect(statSync(join(image.root, "var/lib/assay")).uid).toBe(65_532)
  })

  it("serves, is healthy by its own check, and ends at SIGTERM", async () => {
    const variables = { PORT: String(await freePort()) }
    const [, ...check] = image.config.Healthcheck.Test
    const isHealthy = async () => (await outputOf(runInImage(image, check, variables))).code
    expect(await isHealthy()).toBe(1)
    const server = runInImage(image, [...image.config.Entrypoint, ...image.config.Cmd], variables)
    const ended = outputOf(server)
    try {
      await expect.poll(isHealthy, { timeout: 30_000, interval: 200 }).toBe(0)
    } finally {
      server.kill("SIGTERM")
    }
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining("Assay is ready.") })
  })

  it("has all commands", async () => {
    const { code, output } = await outputOf(runInImage(image, [...image.config.Entrypoint, "migrate", "--check"]))
    expect([code, output]).toEqual([1, expect.stringContaining("0001-first-tables")])
  })
})
