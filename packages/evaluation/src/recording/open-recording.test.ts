import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ChatAnswer } from "@assay/inference"
import { failCalls, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { openRecording } from "./open-recording.ts"

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
/** An answer of a file that somebody has edited. */
const NO_USAGE = '{"answer": {"text": "a", "toolCalls": [], "latencyMs": 1, "body": {}}}'
const REQUEST = { baseUrl: "http://h/v1", model: "m", body: { messages: [] }, repeat: 0 }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recording-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns a function that asks, and the number of times that it was called. */
function counting(text = "a") {
  let count = 0
  return { ask: () => Promise.resolve(answer(`${text}${++count}`)), count: () => count }
}

describe("a recording", () => {
  it("asks once for equal requests, also at the same time, and again for another repeat", async () => {
    const folder = makeFolder()
    const { ask, count } = counting()
    const recording = openRecording(folder)
    const both = await Promise.all([recording.answer(REQUEST, ask), recording.answer(REQUEST, ask)])
    expect(both.map(({ text }) => text)).toEqual(["a1", "a1"])
    expect((await recording.answer({ ...REQUEST, repeat: 1 }, ask)).text).toBe("a2")
    const replayed = await openRecording(folder).answer(REQUEST, ask)
    expect([replayed, count()]).toEqual([{ ...answer("a1"), isRecorded: true }, 2])
  })

  it("has the answer on the disk before it returns it, and asks again for a damaged one", async () => {
    const folder = makeFolder()
    const { ask } = counting()
    await openRecording(folder).answer(REQUEST, ask)
    const [file = ""] = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    )
    for (const damaged of ['{"answer": {"te', '{"answer": {"text": 1}}', NO_USAGE, "null"]) {
      writeFileSync(file, damaged)
      const { text } = await openRecording(folder).answer(REQUEST, ask)
      expect(await openRecording(folder).answer(REQUEST, ask)).toMatchObject({ text, isRecorded: true })
    }
  })

  it("keeps the first answer of two processes, and replaces it if it is fresh", async () => {
    const folder = makeFolder()
    const slow = Promise.withResolvers<ChatAnswer>()
    const late = openRecording(folder).answer(REQUEST, () => slow.promise)
    await openRecording(folder).answer(REQUEST, counting("first").ask)
    slow.resolve(answer("late"))
    expect((await late).text).toBe("first1")
    const fresh = openRecording(folder, { isFresh: true })
    const { ask, count } = counting("fresh")
    await fresh.answer(REQUEST, ask)
    expect([(await fresh.answer(REQUEST, ask)).text, count()]).toEqual(["fresh1", 1])
    expect((await openRecording(folder).answer(REQUEST, ask)).text).toBe("fresh1")
  })

  it("has a failure for replays only: any other run asks again, and an answer replaces it", async () => {
    const folder = makeFolder()
    const kindOf = ({ text }: ChatAnswer) => (text === "down" ? "failure" : text === "odd" ? "unusable" : "answer")
    const say = (text: string) => () => Promise.resolve(answer(text))
    const texts: unknown[] = []
    for (const text of ["down", "odd", "up", "late"]) {
      const replayed = openRecording(folder, { isReplayOnly: true }).answer(REQUEST, say("new"), { kindOf })
      texts.push(await replayed.then(({ text }) => text).catch(({ code }: { code: string }) => code))
      texts.push((await openRecording(folder).answer(REQUEST, say(text), { kindOf })).text)
    }
    expect(texts).toEqual(["recording_missing", "down", "down", "odd", "recording_missing", "up", "up", "up"])
  })

  it("keeps the older answer if the disk fails to write a newer one, and leaves nothing else", async () => {
    const folder = makeFolder()
    await openRecording(folder).answer(REQUEST, counting("old").ask)
    const files = () => readdirSync(folder, { recursive: true })
    const before = files()
    const newer = () => openRecording(folder, { freshSince: Date.now() + 60_000 }).answer(REQUEST, counting("new").ask)
    for (const call of ["rename", "writeFile"] as const) {
      failCalls(call, "ENOSPC").fail(1)
      await expect(newer(), call).rejects.toMatchObject({ code: "disk_full" })
      expect([(await openRecording(folder).answer(REQUEST, counting().ask)).text, files()]).toEqual(["old1", before])
    }
    expect((await newer()).text).toBe("new1")
  })

  it("says that an answer can't be read in a replay, and not that it is missing", async () => {
    const folder = makeFolder()
    await openRecording(folder).answer(REQUEST, counting().ask)
    failCalls("readFile", "EMFILE").fail(1)
    const replay = openRecording(folder, { isReplayOnly: true })
    await expect(replay.answer(REQUEST, counting().ask)).rejects.toMatchObject({ code: "local_file_failed" })
    expect((await replay.answer(REQUEST, counting().ask)).text).toBe("a1")
  })

  it("fails on anything new in a replay, and does not record a failure", verifies("run.recording"), async () => {
    const folder = makeFolder()
    const refuse = () => Promise.reject(new Error("down"))
    await expect(openRecording(folder).answer(REQUEST, refuse)).rejects.toThrow("down")
    const replay = openRecording(folder, { isReplayOnly: true })
    await expect(replay.answer(REQUEST, counting().ask)).rejects.toMatchObject({ code: "recording_missing" })
  })
})
