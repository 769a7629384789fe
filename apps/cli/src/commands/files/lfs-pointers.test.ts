import { beforeAll, describe, expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const POINTER = `version ${["https:/", "git-lfs.github.com/spec/v1"].join("/")}\noid sha256:${"0a".repeat(32)}\nsize 4976698672\n`

const { folder, assay } = serveCommands()
beforeAll(() => {
  folder.write("checkpoint/model.safetensors", POINTER)
  folder.write("checkpoint/config.json", '{"model_type": "llama"}')
})

describe("a pointer of git LFS", () => {
  it("is pushed with a warning that names it and the remedy", async () => {
    const { exitCode, stderr } = await assay("push", "./checkpoint", "default/pointers")
    expect(exitCode).toBe(0)
    expect(stderr).toContain(
      "warning: 1 file is a pointer of git LFS, not the content: model.safetensors; run 'git lfs pull' in the clone of the repository and push again\n",
    )
  })

  it.each([
    ["an evaluation file", ["eval", "run", "./pointer.yaml"]],
    ["a configuration of a guardrail", ["guard", "check", "hello", "--config", "./pointer.yaml"]],
    [
      "messages to check",
      ["guard", "check", "--data", "./pointer.yaml", "--url", "http://127.0.0.1:9/v1", "--model", "m"],
    ],
    [
      "rows of labelled prompts",
      ["guard", "calibrate", "--data", "./pointer.jsonl", "--url", "http://127.0.0.1:9/v1", "--model", "m"],
    ],
    ["a schema of rows", ["dataset", "validate", "./pointer.jsonl", "--schema", "./pointer.yaml"]],
  ])("is named with the remedy if it replaces %s", async (_what, words) => {
    folder.write("pointer.yaml", POINTER)
    folder.write("pointer.jsonl", POINTER)
    const { exitCode, stderr } = await assay(...words)
    expect(stderr).toContain("is a pointer of git LFS, not the file itself (4,976,698,672 bytes); run 'git lfs pull'")
    expect(exitCode).toBe(2)
  })

  it("is named by the analysis of a checkpoint", async () => {
    const { exitCode, stderr } = await assay("model", "analyze", "./checkpoint")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("is a pointer of git LFS, not the file itself (4,976,698,672 bytes); run 'git lfs pull'")
  })
})
