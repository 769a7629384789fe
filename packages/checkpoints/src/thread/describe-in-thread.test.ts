import process from "node:process"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "../testing/checkpoint-folder.ts"
import type { TestTensor } from "../testing/safetensors-file.ts"
import { analyzeCheckpoint, analyzeModel } from "../analyze-checkpoint.ts"

const now = () => Date.UTC(2026, 10, 22)
const config = { model_type: "qwen2", architectures: ["Qwen2ForCausalLM"], num_hidden_layers: 1000, hidden_size: 2 }
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

describe("the analysis of a model's record on a thread", () => {
  it(
    "handles millions of values with the same result as without a thread",
    verifies("models.analysis.thread"),
    async () => {
      const tensors = Array.from({ length: 100_000 }, (_, index): TestTensor => [
        `model.layers.${index % 1000}.part.${Math.floor(index / 1000)}.weight`,
        "BF16",
        [2, 2],
      ])
      const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors })
      const start = cpuMs()
      const here = await analyzeCheckpoint({ storage })
      const inline = cpuMs() - start
      const { spec, analysis } = await analyzeModel({ storage, now })
      const threaded = cpuMs() - start - inline
      expect(spec).toEqual(here.spec)
      expect([analysis.bytes_read, analysis.requests]).toEqual([here.bytes_read, here.requests])
      expect(threaded).toBeLessThan(inline / 3)
    },
  )

  it("finds a checkpoint that is listed after a thousand other files", async () => {
    const others = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`a/${index}.txt`, "x"]))
    const files = { ...others, "config.json": config }
    const { storage } = await makeCheckpoint({ files, tensors: [["model.embed_tokens.weight", "BF16", [10, 2]]] })
    expect((await analyzeModel({ storage, now })).analysis).toMatchObject({ status: "completed" })
  })

  it("keeps the code and the message of an error", async () => {
    const { storage } = await makeCheckpoint({ files: { "config.json": "{" }, tensors: [] })
    expect((await analyzeModel({ storage, now })).analysis).toMatchObject({
      status: "failed",
      error: { code: "broken_checkpoint", message: expect.stringContaining("'config.json' is not JSON") },
    })
  })

  it("ends at once when the caller aborts", async () => {
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors: [] })
    const controller = new AbortController()
    const read: typeof storage.read = async (path, options) => {
      controller.abort(new Error("nobody waits"))
      return storage.read(path, options)
    }
    const analysis = analyzeModel({ storage: { ...storage, read }, now, signal: controller.signal })
    await expect(analysis).rejects.toThrow("nobody waits")
  })
})
