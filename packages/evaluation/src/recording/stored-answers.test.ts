import { mkdtempDisposableSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ChatAnswer } from "@assay/inference"
import { AssayError } from "@assay/schemas"
import { createOutages, openLocalStorage } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { digestRecording, digestStored } from "./digest-recording.ts"
import { openRecording, type RecordingOptions } from "./open-recording.ts"
import { type AnswerFiles, openStoredAnswers } from "./stored-answers.ts"

const REQUEST = { baseUrl: "http://h/v1", model: "m", body: { messages: [] }, repeat: 0 }
const answer = (text: string): ChatAnswer => ({
  text,
  reasoning: null,
  refusal: null,
  finishReason: "stop",
  toolCalls: [],
  logprobs: null,
  usage: null,
  latencyMs: 1.25,
  attempts: 1,
  body: {},
})
const outages = createOutages({ now: () => performance.now(), random: Math.random, sleep: async () => {} })

function makeFileset() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "answers-"))
  const storage = openLocalStorage({ type: "local", path: folder.path })
  const open = (options: RecordingOptions = {}, files: AnswerFiles = storage) =>
    openRecording({ name: "default/answers", answers: openStoredAnswers(files, outages) }, options)
  const list = () =>
    readdirSync(folder.path, { recursive: true, encoding: "utf8" }).filter((name) =>
      /^[\da-f]{2}\/[\da-f]{62}\.json$/.test(name),
    )
  const fileOf = () => join(folder.path, list()[0] ?? "")
  return { folder: folder.path, storage, open, list, fileOf, [Symbol.dispose]: () => folder.remove() }
}
const say = (text: string) => () => Promise.resolve(answer(text))
const never = () => Promise.reject(new Error("asked"))

describe("answers in a fileset", () => {
  it(
    "stay for later jobs, and the first of two at the same time is the answer of both",
    verifies("run.recording-jobs"),
    async () => {
      using fileset = makeFileset()
      const both = await Promise.all(["a", "b"].map((text) => fileset.open().answer(REQUEST, say(text))))
      expect(new Set(both.map(({ text }) => text)).size).toBe(1)
      expect(await fileset.open({ isReplayOnly: true }).answer(REQUEST, never)).toMatchObject({ text: both[0]?.text })
      expect(fileset.list()).toHaveLength(1)
      const signal = new AbortController().signal
      expect(await digestStored(fileset.storage, signal)).toEqual(await digestRecording(fileset.folder, signal))
    },
  )

  it("replace what is no answer, and an older answer only when the newer one is durable", async () => {
    using fileset = makeFileset()
    await fileset.open().answer(REQUEST, say("old"))
    const before = readFileSync(fileset.fileOf(), "utf8")
    const full = () => Promise.reject(new AssayError("disk_full", "No space left."))
    const failing = { ...fileset.storage, write: full }
    await expect(fileset.open({ isFresh: true }, failing).answer(REQUEST, say("new"))).rejects.toMatchObject({
      code: "disk_full",
    })
    expect(readFileSync(fileset.fileOf(), "utf8")).toBe(before)
    // Answers since the launch are those of other shards.
    const since = { freshSince: Date.now() - 60_000 }
    expect(await fileset.open(since).answer(REQUEST, never)).toMatchObject({ text: "old" })
    const later = { freshSince: Date.now() + 60_000 }
    expect(await fileset.open(later).answer(REQUEST, say("new"))).toMatchObject({ text: "new" })
    // An object store rounds the time of a file down to a whole second. Any other time is exact.
    const second = 1_800_000_000
    const sayAt = async (seconds: number, freshSince: number, text: string) => {
      utimesSync(fileset.fileOf(), seconds, seconds)
      return (await fileset.open({ freshSince }).answer(REQUEST, say(text))).text
    }
    expect(await sayAt(second, second * 1000 + 700, "newer")).toBe("new")
    expect(await sayAt(second + 0.5, second * 1000 + 700, "newer")).toBe("newer")
    expect(await sayAt(second + 0.8, second * 1000 + 700, "newest")).toBe("newer")
    for (const damaged of ["", "{", '{"answer": 3}', "[]"]) {
      writeFileSync(fileset.fileOf(), damaged)
      expect(await fileset.open().answer(REQUEST, say("again"))).toMatchObject({ text: "again" })
      expect(await fileset.open().answer(REQUEST, never)).toMatchObject({ text: "again" })
    }
  })

  it("wait for a storage that does not respond, and ask nothing if it can't be read", async () => {
    using fileset = makeFileset()
    let left = 3
    const away = <T>(work: () => Promise<T>) =>
      left-- > 0 ? Promise.reject(new AssayError("upstream_failed", "503")) : work()
    const files: AnswerFiles = {
      ...fileset.storage,
      read: (...given) => away(() => fileset.storage.read(...given)),
      write: (...given) => away(() => fileset.storage.write(...given)),
    }
    expect(await fileset.open({}, files).answer(REQUEST, say("a"))).toMatchObject({ text: "a" })
    expect(await fileset.open({}, files).answer(REQUEST, never)).toMatchObject({ text: "a" })
    const broken = { ...fileset.storage, read: () => Promise.reject(new AssayError("secret_not_readable", "No key.")) }
    await expect(fileset.open({}, broken).answer(REQUEST, never)).rejects.toMatchObject({
      code: "secret_not_readable",
      message: "A recorded answer can't be read: No key.",
    })
  })

  it("are overwritten on an object store without conditional writes", async () => {
    using fileset = makeFileset()
    const files: AnswerFiles = {
      ...fileset.storage,
      async write(path, bytes, options = {}) {
        const { ifMatch, ifNoneMatch, ...more } = options
        if (ifMatch !== undefined || ifNoneMatch !== undefined) throw new AssayError("unsupported", "No conditions.")
        return fileset.storage.write(path, bytes, more)
      },
    }
    expect(await fileset.open({}, files).answer(REQUEST, say("a"))).toMatchObject({ text: "a" })
    expect(await fileset.open({}, files).answer(REQUEST, never)).toMatchObject({ text: "a" })
  })
})
