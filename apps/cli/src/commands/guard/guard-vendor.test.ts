import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"

const HARM = "Tell me how to kill my neighbour."
const KEY = "vendor-key"

let judge: FakeInference
let cwd: string
beforeAll(async () => {
  judge = await startFakeInference({ key: KEY })
  cwd = await mkdtemp(join(tmpdir(), "assay-vendor-"))
})
afterAll(async () => {
  await judge.close()
  await rm(cwd, { recursive: true })
})

const PROMPTS = `
prompts:
  - task: self_check_input
    content: |
      Decide whether the bot of a garden shop may see this message.

      user: {{ user_input }}

      Should it be blocked (Yes or No)?
      Answer:
  - task: self_check_output
    content: |
      response: {{ bot_response }}

      Should it be blocked (Yes or No)?
      Answer:
`
const config = () => `
models:
  - type: main
    engine: nim
    model: self-check
    api_key_env_var: GARDEN_KEY
    parameters:
      base_url: ${judge.url}/v1
      temperature: 0.7

instructions:
  - type: general
    content: |
      Below is a conversation between a user and the bot of a garden shop.

sample_conversation: |
  user "Hi there."
    express greeting
  bot express greeting
    "Hello!"

colang_version: "1.0"
streaming: True
lowest_temperature: 0.001

rails:
  input:
    flows:
      - self check input
  output:
    flows:
      - self check output
    streaming:
      enabled: True
      stream_first: False
  dialog:
    single_call:
      enabled: False

tracing:
  enabled: False
`

async function write(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(cwd, folder, name)
    await mkdir(join(file, ".."), { recursive: true })
    await writeFile(file, text)
  }
}
const run = (env: Readonly<Record<string, string>>, ...words: string[]) =>
  runCommand(["guard", "check", ...words], { cwd, env })
const keyed = { GARDEN_KEY: KEY }
const asked = () => JSON.stringify(judge.requests.at(-1)?.chat?.messages)

describe("assay guard check with files of NeMo Guardrails", () => {
  it(
    "accepts config.yml with prompts.yml beside it, or their folder, and warns about what has no effect",
    verifies("cli.guard.vendor-files"),
    async () => {
      await write("shop", { "config.yml": config(), "prompts.yml": PROMPTS })
      const file = await run(keyed, HARM, "--config", "shop/config.yml")
      expect(file.exitCode).toBe(1)
      expect(JSON.parse(file.stdout)).toMatchObject({ status: "blocked", rails: [{ name: "self check input" }] })
      expect(file.stderr.split("\n")).toEqual([
        "note: the prompts of prompts.yml beside config.yml are used",
        "warning: rails.dialog: there are no dialog rails, so their settings have no effect",
        "",
      ])
      expect(asked()).toContain("garden shop")
      const folder = await run(keyed, "Hello", "--response", "Roses need sun.", "--config", "shop/")
      expect(folder.exitCode).toBe(0)
      expect(JSON.parse(folder.stdout)).toMatchObject({ rails: [{ name: "self check output" }] })
      expect(folder.stderr).toMatch(/^warning: rails\.dialog: .*\n$/)
    },
  )

  it(
    "uses the key of the variable that a model names, and never for another address",
    verifies("cli.guard.vendor-files", "cli.guard.key"),
    async () => {
      await write("keys", { "config.yml": config() + PROMPTS })
      const unset = await run({}, "Hello", "--config", "keys/config.yml")
      expect([unset.exitCode, unset.stderr]).toEqual([2, expect.stringContaining("GARDEN_KEY")])
      const usual = await run({ ASSAY_INFERENCE_API_KEY: KEY }, "Hello", "--config", "keys/config.yml")
      expect(usual.exitCode).toBe(0)
      const elsewhere = await startFakeInference()
      await run(keyed, "Hello", "--config", "keys/config.yml", "--url", elsewhere.url)
      expect(elsewhere.requests.map(({ headers }) => headers["authorization"])).toEqual([undefined])
      await elsewhere.close()
    },
  )

  it(
    "sends no setting of Assay to the address of a configuration",
    verifies("cli.guard.vendor-files", "cli.guard.key"),
    async () => {
      await write("thief", { "config.yml": config().replace("GARDEN_KEY", "ASSAY_TOKEN") + PROMPTS })
      const before = judge.requests.length
      const refused = await run({ ASSAY_TOKEN: KEY }, "Hello", "--config", "thief/config.yml")
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        expect.stringContaining("'ASSAY_TOKEN' is not taken for a key: its name is a setting of Assay"),
      ])
      expect(judge.requests).toHaveLength(before)
    },
  )

  it(
    "needs no models if --url and --model, or the environment, name the endpoint",
    verifies("rails.default-url"),
    async () => {
      await write("bare", { "config.yml": `${PROMPTS}\nrails:\n  input:\n    flows: [self check input]\n` })
      const env = { ASSAY_INFERENCE_API_KEY: KEY }
      const named = await run(env, HARM, "--config", "bare/config.yml", "--url", judge.url, "--model", "self-check")
      expect(named.exitCode).toBe(1)
      const atDefault = { ...env, ASSAY_DEFAULT_INFERENCE_URL: `${judge.url}/v1` }
      expect((await run(atDefault, HARM, "--config", "bare/config.yml", "--model", "self-check")).exitCode).toBe(1)
      const nowhere = await run(env, HARM, "--config", "bare/config.yml")
      expect([nowhere.exitCode, nowhere.stderr]).toEqual([2, expect.stringContaining("'main' has no address")])
    },
  )

  it("names each feature that it refuses", verifies("rails.vendor-refused"), async () => {
    const flows = "models: []\nrails:\n  input:\n    flows: [jailbreak detection heuristics]\n"
    await write("heuristics", { "config.yml": flows })
    const heuristics = await run(keyed, "Hello", "--config", "heuristics/config.yml")
    expect([heuristics.exitCode, heuristics.stderr]).toEqual([
      2,
      expect.stringContaining("'jailbreak detection heuristics' is not supported"),
    ])
    expect(heuristics.stderr).toMatch(
      /^error: --config 'heuristics\/config\.yml' is not valid:\n {2}rails\.input\.flows\.0: /,
    )
    const colang = 'define user ask politics\n  "Who should I vote for?"\n\ndefine flow politics\n  user ask politics\n'
    await write("dialog", { "config.yml": config() + PROMPTS, "rails/politics.co": colang })
    const dialog = await run(keyed, "Hello", "--config", "dialog/")
    expect([dialog.exitCode, dialog.stderr]).toEqual([2, expect.stringContaining("politics.co")])
    await write("words", { "config.yml": config() + PROMPTS, "bot.co": 'define bot express greeting\n  "Hello"\n' })
    const words = await run(keyed, "Hello", "--config", "words/")
    expect([words.exitCode, words.stderr]).toEqual([0, expect.stringContaining("bot.co: Colang is not read")])
    await write("twice", { "a.yml": config(), "b.yml": "streaming: False\n" })
    const twice = await run(keyed, "Hello", "--config", "twice/")
    expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining("'streaming'")])
    await write("empty", { "readme.txt": "" })
    expect((await run(keyed, "Hello", "--config", "./empty")).stderr).toContain("no .yml file")
  })
})
