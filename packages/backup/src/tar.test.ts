import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { array, assert, asyncProperty, bigInt, integer, record, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { createTarWriter } from "./tar-writer.ts"
import { readTar } from "./read-tar.ts"

interface File {
  readonly path: string
  readonly text: string
  readonly mtimeNs: bigint
}

async function pack(files: readonly File[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const tar = createTarWriter(async (bytes) => void parts.push(bytes))
  for (const { path, text, mtimeNs } of files) {
    const bytes = Buffer.from(text)
    await tar.add({ path, size: bytes.length, mtimeNs, mode: 0o644 }, [bytes])
  }
  await tar.end()
  return Buffer.concat(parts)
}

async function unpack(archive: Buffer, step = archive.length): Promise<File[]> {
  async function* pieces() {
    for (let at = 0; at < archive.length; at += step) yield archive.subarray(at, at + step)
  }
  const files: File[] = []
  for await (const { path, mtimeNs, bytes } of readTar(pieces())) {
    files.push({ path, mtimeNs, text: Buffer.concat(await Array.fromAsync(bytes)).toString() })
  }
  return files
}

const LONG = `${"folder/".repeat(40)}日本語-${"n".repeat(200)}`

describe("a tar archive", () => {
  it("keeps any path, time and size, with its bytes in pieces of any size", async () => {
    const file = record({
      path: string({ unit: "grapheme", minLength: 1, maxLength: 200 }).filter((path) => !path.includes("\0")),
      text: string({ maxLength: 2000 }),
      mtimeNs: bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }),
    })
    await assert(
      asyncProperty(array(file, { maxLength: 5 }), integer({ min: 1, max: 3000 }), async (files, step) => {
        expect(await unpack(await pack(files), step)).toEqual(files)
      }),
      { numRuns: 50 },
    )
  })

  it("is readable for the system's tar, and archives of the system's tar are readable", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-tar-"))
    const files = [
      { path: LONG, text: "long", mtimeNs: 1_700_000_000_123_456_789n },
      { path: "short", text: "", mtimeNs: 1_700_000_000_000_000_000n },
    ]
    await writeFile(join(folder, "a.tar"), await pack(files))
    const tar = (...words: string[]) => spawnSync("tar", words, { cwd: folder })
    expect(tar("xf", "a.tar").status).toBe(0)
    expect(await readFile(join(folder, LONG), "utf8")).toBe("long")
    for (const format of ["pax", "gnu"]) {
      expect(tar("cf", "b.tar", `--format=${format}`, "folder", "short").status).toBe(0)
      const read = await unpack(await readFile(join(folder, "b.tar")))
      expect(read.map(({ path, text }) => [path, text])).toEqual(files.map(({ path, text }) => [path, text]))
    }
    // A link is not a file of a backup.
    expect(spawnSync("ln", ["-s", "/etc/passwd", "link"], { cwd: folder }).status).toBe(0)
    expect(tar("cf", "c.tar", "link").status).toBe(0)
    await expect(unpack(await readFile(join(folder, "c.tar")))).rejects.toThrow(/'link' is a link or a device/)
    await rm(folder, { recursive: true })
  })

  it("is refused if a header is damaged, too long or cut short", async () => {
    const archive = await pack([{ path: "a", text: "text", mtimeNs: 0n }])
    for (const at of [0, 130, 520, 1030]) {
      const damaged = Buffer.from(archive)
      damaged[at] = (damaged[at] ?? 0) ^ 0x08
      await expect(unpack(damaged)).rejects.toThrow()
    }
    await expect(unpack(archive.subarray(0, 1600))).rejects.toThrow("cut short")
    const tooLong = await pack([{ path: "n".repeat(70_000), text: "", mtimeNs: 0n }])
    await expect(unpack(tooLong)).rejects.toThrow("too long")
  })

  it("refuses a file with more or fewer bytes than announced", async () => {
    const tar = createTarWriter(async () => {})
    const entry = { path: "a", size: 3, mtimeNs: 0n, mode: 0o600 }
    for (const text of ["ab", "abcd"])
      await expect(tar.add(entry, [Buffer.from(text)])).rejects.toThrow(/changed its size/)
  })
})
