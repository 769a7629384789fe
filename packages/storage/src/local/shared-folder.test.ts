import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { createMemoryDigestIndex } from "../digest-index.ts"
import { codeOf, listPaths, writeAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { runStorageScript } from "../testing/run-storage-script.ts"
import { openLocalStorage } from "./open.ts"
import { createSystemLocks } from "./system-locks.ts"

const PROCESSES = 3
const WRITERS = 4
const ROUNDS = 12

/**
 * Runs one part after another in each process, with a folder of its own. `meet` waits until all processes are at the same place.
 * `write` returns the code of an error, or "written".
 */
const SETUP = `
  const { readdir, writeFile } = await import("node:fs/promises")
  const [root, meetings, self, processes, writers, rounds] = process.argv.slice(1)
  async function* bytes(text) { yield Buffer.from(text) }
  async function runPart(part, run) {
    const path = root + "/" + part
    const storage = openLocalStorage({ type: "local", path }, { durable: false, newId: () => crypto.randomUUID(), isShared: true })
    async function meet(where) {
      const place = part + where
      await writeFile(meetings + "/" + place + "." + self, "")
      const isHere = (name) => name.startsWith(place + ".")
      const end = Date.now() + 25_000
      while ((await readdir(meetings)).filter(isHere).length < processes) {
        if (Date.now() > end) throw new Error("Another process did not come to " + place)
        await new Promise((resolve) => setTimeout(resolve, 4))
      }
    }
    const write = (path, text, options) =>
      storage.write(parseFilePath(path), bytes(text), options).then(() => "written", (error) => error.code ?? error.message)
    const answers = []
    await run({ storage, meet, write, answers })
    return answers
  }
`

const CREATE = `async ({ meet, write, answers }) => {
  for (let round = 0; round < rounds; round++) {
    await meet(round)
    await Promise.all(Array.from({ length: writers }, async (_, writer) => {
      const text = [round, self, writer].join()
      answers.push({ round, text, answer: await write("a/" + round, text, { ifNoneMatch: "*" }) })
    }))
  }
}`

const REPLACE = `async ({ storage, meet, write, answers }) => {
  if (self === "0") await write("file", "first")
  for (let round = 0; round < rounds; round++) {
    await meet("look" + round)
    const { etag } = await storage.stat(parseFilePath("file"))
    await meet("write" + round)
    await Promise.all(Array.from({ length: writers }, async (_, writer) => {
      const text = [round, self, writer].join()
      answers.push({ round, text, answer: await write("file", text, { ifMatch: etag }) })
    }))
  }
}`

const OVERWRITE = `async ({ storage, meet, write, answers }) => {
  for (let round = 0; round < rounds; round++) {
    const path = "file" + round
    if (self === "0") await write(path, "old")
    await meet("look" + round)
    const { etag } = await storage.stat(parseFilePath(path))
    await meet("write" + round)
    const text = [round, self].join()
    const options = self === "0" ? {} : { ifMatch: etag }
    answers.push({ round, text, answer: await write(path, text, options) })
  }
}`

interface Answer {
  readonly round: number
  readonly text: string
  readonly answer: string
}

/** Runs named parts in several processes over one folder, because to start a process takes longer than a part. */
async function runTogether<Part extends string>(root: string, parts: Readonly<Record<Part, string>>) {
  const names = Object.keys(parts) as Part[]
  const meetings = join(root, "meetings")
  for (const folder of [meetings, ...names.map((name) => join(root, name))]) await mkdir(folder)
  const runs = names.map((name) => `${name}: await runPart("${name}", ${parts[name]})`)
  const outputs = Array.from({ length: PROCESSES }, (_, self) => {
    const args = [root, meetings, self, PROCESSES, WRITERS, ROUNDS].map(String)
    return runStorageScript(`${SETUP}console.log(JSON.stringify({ ${runs.join(", ")} }))`, args).output
  })
  const found = (await Promise.all(outputs)).map((output) => JSON.parse(output) as Record<Part, readonly Answer[]>)
  return (name: Part) => found.flatMap((one) => one[name])
}

const winnersOf = (answers: readonly Answer[], round: number) =>
  answers.filter((answer) => answer.round === round && answer.answer === "written").map(({ text }) => text)

const rounds = Array.from({ length: ROUNDS }, (_, round) => round)

describe("several processes that write to one folder", () => {
  let root: string
  let answersOf: Awaited<ReturnType<typeof runTogether<"create" | "replace" | "overwrite">>>

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "assay-shared-"))
    answersOf = await runTogether(root, { create: CREATE, replace: REPLACE, overwrite: OVERWRITE })
  })
  afterAll(() => rm(root, { recursive: true }))

  it("create a file once, whichever is first", verifies("files.upload.create-only"), async () => {
    const answers = answersOf("create")
    const folder = join(root, "create")
    expect(answers).toHaveLength(PROCESSES * WRITERS * ROUNDS)
    expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(["written", "precondition_failed"]))
    for (const round of rounds)
      expect(winnersOf(answers, round)).toEqual([await readFile(join(folder, "a", String(round)), "utf8")])
    expect(await listPaths(openLocalStorage({ type: "local", path: folder }))).toHaveLength(ROUNDS)
  })

  it("replace each version once", verifies("files.upload.if-match"), async () => {
    const answers = answersOf("replace")
    expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(["written", "precondition_failed"]))
    for (const round of rounds) expect(winnersOf(answers, round)).toHaveLength(1)
    expect(winnersOf(answers, ROUNDS - 1)).toEqual([await readFile(join(root, "replace", "file"), "utf8")])
  })

  it(
    "lose no unconditional write to one whose condition names an older version",
    verifies("files.upload.if-match"),
    async () => {
      const answers = answersOf("overwrite")
      for (const round of rounds)
        expect(await readFile(join(root, "overwrite", `file${round}`), "utf8")).toBe(`${round},0`)
      expect(answers.filter(({ answer }) => answer !== "written" && answer !== "precondition_failed")).toEqual([])
    },
  )
})

describe("a writer that takes no lock", () => {
  it(
    "keeps a file that it created after another write's last check that there is none",
    verifies("files.upload.create-only"),
    async () => {
      const root = await makeTestFolder()
      const memory = createMemoryDigestIndex()
      const digests = {
        ...memory,
        // The last step before the file gets its name.
        async put(...known: Parameters<typeof memory.put>) {
          await memory.put(...known)
          await writeFile(join(root, "file"), "theirs", { flag: "wx" })
        },
      }
      const storage = openLocalStorage({ type: "local", path: root }, { digests, durable: false })
      const writing = writeAll(storage, parseFilePath("file"), Buffer.from("ours"), { ifNoneMatch: "*" })
      expect(await codeOf(writing)).toBe("precondition_failed")
      expect(await readFile(join(root, "file"), "utf8")).toBe("theirs")
      expect((await readdir(root)).toSorted()).toEqual([".assay-tmp-locks", "file"])
    },
  )
})

describe("a network file system that repeats link() after a lost response", () => {
  it("does not make a create-only write fail", verifies("files.upload.create-only"), async () => {
    const root = await makeTestFolder()
    const memory = createMemoryDigestIndex()
    const digests = {
      ...memory,
      // The last step before the file gets its name.
      async put(...known: Parameters<typeof memory.put>) {
        await memory.put(...known)
        const own = (await readdir(root)).find((name) => /^\.assay-tmp-\d+$/.test(name)) ?? ""
        await link(join(root, own), join(root, "file"))
      },
    }
    const storage = openLocalStorage({ type: "local", path: root }, { digests, durable: false })
    await writeAll(storage, parseFilePath("file"), Buffer.from("ours"), { ifNoneMatch: "*" })
    expect(await readFile(join(root, "file"), "utf8")).toBe("ours")
    expect((await readdir(root)).toSorted()).toEqual([".assay-tmp-locks", "file"])
  })
})

describe("the lock of a conditional write", () => {
  it("is released when the process that holds it ends", async () => {
    const root = await makeTestFolder()
    const lockName = crc32("file") % 64
    const hold = `
      const { DatabaseSync } = await import("node:sqlite")
      const { mkdirSync } = await import("node:fs")
      mkdirSync(process.argv[1] + "/.assay-tmp-locks")
      const lock = new DatabaseSync(process.argv[1] + "/.assay-tmp-locks/${lockName}")
      lock.exec("begin exclusive")
      console.log("held")
      // Without a reference, garbage collection would release the lock.
      setInterval(() => lock.isOpen, 1000)`
    const { child, output } = runStorageScript(hold, [root])
    onTestFinished(() => void child.kill("SIGKILL"))
    await new Promise((resolve) => child.stdout?.once("data", resolve))
    const storage = openLocalStorage({ type: "local", path: root })
    let isWritten = false
    async function* bytes() {
      yield Buffer.from("text")
    }
    const writing = storage.write(parseFilePath("file"), bytes(), { ifNoneMatch: "*" }).then(() => (isWritten = true))
    for (const path of ["a", "b", "c", "d", "e"].map(parseFilePath)) await storage.write(path, bytes())
    expect(isWritten).toBe(false)
    child.kill("SIGKILL")
    await output
    await writing
    expect(await listPaths(storage)).toEqual(["a", "b", "c", "d", "e", "file"])
  })

  it("creates no file besides its own while it is held", async () => {
    const folder = join(await makeTestFolder(), "locks")
    const locks = createSystemLocks(folder)
    const held = await locks.exclusive(join(folder, "file"), { isRequired: true }, () => readdir(folder))
    locks.close()
    expect(held).toEqual([expect.stringMatching(/^\d+$/)])
  })
})
