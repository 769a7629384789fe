import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { failCalls, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createMemoryDigestIndex, type DigestIndex, type FileVersion } from "../digest-index.ts"
import { parseFilePath } from "../file-path.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { createMemoryHistory } from "../testing/memory-history.ts"
import { inPieces } from "../testing/sample-bytes.ts"
import { openLocalStorage } from "./open.ts"

const write = Buffer.from("new")
const KINDS = ["fsync", "linkSync", "renameSync", "rename", "mkdir", "openSync"] as const

/** Returns a digest index of which one call fails. */
function failingIndex() {
  const index = createMemoryDigestIndex()
  let left = Infinity
  const call = <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      if (left-- === 0) throw new Error("the index fails")
      return work(...args)
    }
  }
  const digests: DigestIndex = {
    ...index,
    put: call((file: FileVersion, sha256: string) => index.put(file, sha256)),
    forget: call((path: string, keep?: FileVersion) => index.forget(path, keep)),
    settle: call(() => index.settle()),
  }
  return { digests, failAfter: (calls: number) => (left = calls) }
}

async function openOld() {
  const root = await makeTestFolder()
  const { digests, failAfter } = failingIndex()
  const storage = openLocalStorage({ type: "local", path: root }, { digests, history: createMemoryHistory() })
  await storage.write(parseFilePath("a/old"), inPieces(Buffer.from("old")))
  const read = async () => {
    const { path, size, etag, sha256 } = await storage.stat(parseFilePath("a/old"))
    const names = (await readdir(root, { recursive: true })).filter((name) => !/locks|history$/.test(name)).toSorted()
    return { path, size, etag, sha256, names, bytes: await readFile(join(root, "a/old"), "utf8") }
  }
  return { storage, failAfter, read }
}

const OPERATIONS = {
  "a write over a file": (storage) => storage.write(parseFilePath("a/old"), inPieces(write)),
  "a write in new folders": (storage) => storage.write(parseFilePath("b/c/new"), inPieces(write)),
  "a create-only write": (storage) => storage.write(parseFilePath("a/new"), inPieces(write), { ifNoneMatch: "*" }),
  "a delete": (storage) => storage.delete(parseFilePath("a/old")),
} satisfies Record<string, (storage: ReturnType<typeof openLocalStorage>) => Promise<unknown>>

describe.each(Object.entries(OPERATIONS))("%s on a disk that fails", (_, operation) => {
  it.each(KINDS)(
    "changes nothing if it returns an error, whichever %s fails",
    verifies("files.upload.error-no-effect"),
    async (kind) => {
      const failures = failCalls(kind, "EIO")
      for (let first = 1; ; first++) {
        const { storage, read } = await openOld()
        const before = await read()
        failures.fail(first)
        const error: unknown = await operation(storage).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        const isOver = failures.calls() < first
        failures.fail(0, 0)
        if (error !== undefined) {
          expect(error).toMatchObject({ name: "AssayError" })
          expect({ first, ...(await read()), names: [] }).toEqual({ first, ...before, names: [] })
        }
        if (isOver) break
      }
    },
  )

  it("changes nothing if it returns an error of the digest index", async () => {
    for (let calls = 0; calls < 3; calls++) {
      const { storage, read, failAfter } = await openOld()
      const before = await read()
      failAfter(calls)
      const error: unknown = await operation(storage).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      failAfter(Infinity)
      if (error !== undefined) expect({ calls, ...(await read()) }).toEqual({ calls, ...before })
    }
  })
})

it("A delete succeeds if only the digest index fails", async () => {
  const { storage, failAfter } = await openOld()
  failAfter(0)
  await storage.delete(parseFilePath("a/old"))
  await expect(storage.stat(parseFilePath("a/old"))).rejects.toMatchObject({ code: "not_found" })
})
