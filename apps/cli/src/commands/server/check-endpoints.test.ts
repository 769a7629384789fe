import { createClient } from "@assay/client"
import { startFakeInference } from "@assay/testkit"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer } from "../../testing/start-server.ts"

describe("assay doctor", () => {
  it(
    "makes the server ask each stored endpoint, and prints the reason of each failure",
    verifies("cli.doctor.endpoints"),
    async () => {
      const model = await startFakeInference({ key: "sk-right" })
      const server = await startServer()
      onTestFinished(async () => {
        await Promise.all([server.stop(), model.close()])
      })
      const doctor = (...words: string[]) =>
        runCommand(["doctor", ...words], { cwd: server.folder, env: { ASSAY_URL: server.url } })
      expect((await doctor()).stdout).not.toContain("endpoints")

      const client = createClient({ url: server.url, fetch })
      const endpoint = { url: model.url, model_id: "echo", api_key: "sk-right" }
      await client.evaluation.targets.create({ type: "model", name: "well", model: { api_endpoint: endpoint } })
      const guarded = (name: string, url: string) =>
        client.guardrails.create("default", {
          name,
          data: {
            models: [{ type: "main", engine: "openai", model: "self-check", url }],
            rails: { input: { flows: ["self check input"] } },
          },
        })
      const well = await doctor()
      expect([well.exitCode, well.stdout]).toEqual([0, expect.stringContaining("1 endpoint of 1 answered")])

      const missing = { ...endpoint, model_id: "no-such-model" }
      await client.evaluation.targets.create({ type: "model", name: "ill", model: { api_endpoint: missing } })
      await guarded("locked", model.url)
      const ill = await doctor()
      expect(ill.exitCode).toBe(2)
      expect(ill.stdout).toMatch(/FAIL +endpoints +1 endpoint of 3 answered/)
      expect(ill.stdout).toMatch(/FAIL +endpoint +guardrail default\/locked: .*key/i)
      expect(ill.stdout).toMatch(/FAIL +endpoint +target default\/ill: .*no-such-model/)
      expect(ill.stdout + ill.stderr).not.toContain("sk-right")
    },
  )
})
