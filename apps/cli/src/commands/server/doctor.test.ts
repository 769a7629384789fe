import { createClient } from "@assay/client"
import { startFakeHub, startFakeInference, startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

describe("assay doctor", () => {
  it("asks the identity provider of a server that would start here", verifies("oidc.away", "cli.doctor"), async () => {
    using folder = makeTemporaryFolder()
    const env = {
      PORT: "1",
      ASSAY_AUTH: "oidc",
      ASSAY_OIDC_ISSUER: "http://127.0.0.1:9",
      ASSAY_OIDC_AUDIENCE: "assay-api",
      ASSAY_OIDC_GRANTS: JSON.stringify([{ claim: "groups", value: "ml", workspace: "default", role: "editor" }]),
    }
    const { exitCode, stdout } = await runCommand(["doctor"], { cwd: folder.path, env })
    expect(stdout).toMatch(/^ok +settings /m)
    expect(stdout).toMatch(/^FAIL +provider +The identity provider http:\/\/127\.0\.0\.1:9 can't be used/m)
    expect(exitCode).toBe(2)
  })

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

  it(
    "opens the backend of each fileset, and prints the reason and the remedy of each failure",
    verifies("cli.doctor.backends"),
    async () => {
      const store = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
      store.write("a.txt", "open")
      const hub = await startFakeHub({
        repositories: [{ id: "team/secret", private: true, files: { "b.txt": Buffer.from("closed") } }],
        tokens: { "hf_the-right-token": ["team/secret"] },
      })
      const server = await startServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" })
      onTestFinished(async () => {
        await server.stop()
        await Promise.all([hub.close(), store.close()])
      })
      const assay = (words: string[], input = "") =>
        runCommand(words, { cwd: server.folder, env: { ASSAY_URL: server.url }, input })
      const create = (name: string, storage: object) =>
        assay(["fileset", "create", name, "--storage", JSON.stringify(storage)])

      await assay(["secret", "set", "token"], "hf_the-right-token")
      await assay(["fileset", "create", "usual"])
      const made = [
        await create("store", { type: "objstore", bucket: "files", endpoint_url: store.endpoint }),
        await create("hub", { type: "hub", repo_id: "team/secret", endpoint: hub.url, token_secret: "token" }),
      ]
      expect(made.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
        [0, ""],
        [0, ""],
      ])
      const well = await assay(["doctor"])
      expect(well.stdout).toContain("2 backends of 2 opened, 1 fileset on the server's own storage")
      expect(well.exitCode).toBe(0)

      await assay(["secret", "set", "token"], "hf_another-token")
      const ill = await assay(["doctor", "--json"])
      expect(ill.exitCode).toBe(2)
      const { checks } = JSON.parse(ill.stdout) as { checks: { name: string; ok: boolean; detail: string }[] }
      expect(checks.filter(({ name }) => name.startsWith("fileset"))).toEqual([
        { name: "filesets", ok: false, detail: expect.stringContaining("1 backend of 2 opened") },
        {
          name: "fileset",
          ok: false,
          detail: expect.stringMatching(/^default\/hub \(hub\): [^]*team\/secret[^]*\nSet the secret/),
        },
      ])
      expect(ill.stdout).not.toContain("hf_another-token")
    },
  )
})
