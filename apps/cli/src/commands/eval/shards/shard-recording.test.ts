import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createFakeModels, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { startServer } from "../../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../../testing/temporary-folder.ts"

let endpoint: FakeInference
const folder = makeTemporaryFolder()
beforeAll(async () => {
  endpoint = await startFakeInference({ models: createFakeModels() })
  const orders = Array.from({ length: 6 }, (_, at) => `{"order": "A${at % 4}"}\n`)
  folder.write("orders.jsonl", orders.join(""))
  folder.write("eval.yaml", evaluation("Where is order {{ order }}?"))
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

function evaluation(question: string): string {
  return `
model: ${endpoint.url}/v1#agent
data: orders.jsonl
turns:
  - user: "${question}"
  - user: "Thanks. Cancel it."
tools:
  - name: get_order
    parameters: { type: object, properties: { id: { type: string } } }
    answers: [{ result: shipped }]
checks: [{ contains: Cancel }]
`
}

const run = (...words: readonly string[]) => runCommand(["eval", ...words], { cwd: folder.path })
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

/** Cuts the job into two shards, runs and merges them. Returns the number of requests, and what ended last. */
async function runInShards(out: string, ...options: readonly string[]) {
  const before = endpoint.requests.length
  const cut = await run("cut", "eval.yaml", "--shards", "2", "--out", out, ...options)
  const shards =
    cut.exitCode === 0 ? [await run("shard", out, "--index", "0"), await run("shard", out, "--index", "1")] : []
  const ended = [cut, ...shards].find(({ exitCode }) => exitCode !== 0) ?? (await run("merge", out))
  return { asked: endpoint.requests.length - before, ...ended }
}

it(
  "conversations in shards are recorded: the next run asks nothing, has the same bytes, and can be replayed",
  verifies("run.recording-shards"),
  async () => {
    const first = await runInShards("one")
    expect([first.exitCode, first.asked > 12]).toEqual([0, true])
    const second = await runInShards("two")
    expect([second.exitCode, second.asked]).toEqual([0, 0])
    expect(read("two/results/rows.jsonl")).toBe(read("one/results/rows.jsonl"))

    // One process reads the same recording.
    const alone = endpoint.requests.length
    expect((await run("run", "eval.yaml", "--out", "alone")).exitCode).toBe(0)
    expect([endpoint.requests.length - alone, read("alone/results/rows.jsonl")]).toEqual([
      0,
      read("one/results/rows.jsonl"),
    ])

    const replayed = await runInShards("three", "--recording", "./.assay-eval/answers", "--replay-only")
    expect([replayed.exitCode, replayed.asked, read("three/results/rows.jsonl")]).toEqual([
      0,
      0,
      read("one/results/rows.jsonl"),
    ])

    // Rows 0 and 4 are the same conversation, in two shards: a fresh run asks each of its requests once.
    const fresh = await runInShards("fresh", "--fresh")
    expect([fresh.exitCode, fresh.asked]).toEqual([0, first.asked])
    expect((await runInShards("again")).asked).toBe(0)
    expect(read("again/results/rows.jsonl")).toBe(read("fresh/results/rows.jsonl"))

    folder.write("eval.yaml", evaluation("Where may order {{ order }} be?"))
    const missing = await runInShards("four", "--replay-only")
    expect([missing.exitCode, missing.asked, missing.stdout]).toEqual([
      1,
      0,
      expect.stringContaining("has no recorded answer"),
    ])
    const refused = await run("cut", "eval.yaml", "--shards", "2", "--out", "five", "--recording", "default/answers")
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("needs a folder: `assay pull`")])
  },
)

it(
  "a recording in a fileset is read before a run, and gets the answers that are new",
  verifies("run.recording-fileset"),
  async () => {
    await using server = await serve()
    const env = { ASSAY_URL: server.url }
    const words = ["eval", "run", "eval.yaml", "--local", "--recording", "default/answers", "--out"]
    const missing = await runCommand([...words, "none", "--replay-only"], { cwd: folder.path, env })
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("Fileset 'answers' not found")])
    const first = await runCommand([...words, "shared"], { cwd: folder.path, env })
    expect([first.exitCode, first.stderr]).toEqual([
      0,
      expect.stringMatching(/^0 recorded answers read.*\n[^]*\d\d recorded answers sent to default\/answers\n/),
    ])
    // Another machine has nothing but the fileset.
    rmSync(join(folder.path, ".assay-eval"), { recursive: true })
    const before = endpoint.requests.length
    const second = await runCommand([...words, "other", "--replay-only"], { cwd: folder.path, env })
    expect([second.exitCode, endpoint.requests.length - before]).toEqual([0, 0])
    expect(read("other/results/rows.jsonl")).toBe(read("shared/results/rows.jsonl"))
    expect(readdirSync(join(folder.path, ".assay-eval/recordings/default/answers")).length).toBeGreaterThan(10)
    // Results name what was used, and a run can insist on it.
    const used = JSON.parse(read("other/config/recording.json")) as { readonly digest: string }
    expect(used).toMatchObject({ name: "default/answers", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
    expect(JSON.parse(read("shared/config/recording.json"))).toEqual(used)
    const pinned = (digest: string) =>
      runCommand([...words, "pinned", "--replay-only", "--recording-digest", digest], { cwd: folder.path, env })
    const another = await pinned(`sha256:${"0".repeat(64)}`)
    expect([another.exitCode, another.stderr]).toEqual([
      2,
      expect.stringContaining(`'default/answers' has the digest ${used.digest}`),
    ])
    expect((await pinned(used.digest)).exitCode).toBe(0)

    // A job of the server has the same recording.
    const served = (...more: readonly string[]) =>
      runCommand(["eval", "run", "eval.yaml", "--out", "served", "--force", ...more], { cwd: folder.path, env })
    const job = await served("--recording", "default/answers", "--replay-only")
    expect([job.exitCode, endpoint.requests.length - before]).toEqual([0, 0])
    expect(JSON.parse(read("served/config/recording.json"))).toEqual(used)
    const fresh = await served("--recording", "default/answers", "--fresh")
    expect([fresh.exitCode, endpoint.requests.length - before > 12]).toEqual([0, true])
    for (const wrong of [["--replay-only"], ["--recording", "./answers"], ["--recording-digest", used.digest]]) {
      const refused = await served(...wrong)
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("run without the server")])
    }
  },
)

async function serve() {
  const server = await startServer()
  return { url: server.url, [Symbol.asyncDispose]: async () => void (await server.stop()) }
}
