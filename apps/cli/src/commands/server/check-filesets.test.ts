import { startFakeHub, startFakeObjstore } from "@assay/testkit"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer } from "../../testing/start-server.ts"

describe("assay doctor", () => {
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
