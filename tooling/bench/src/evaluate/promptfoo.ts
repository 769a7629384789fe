import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { hasCommand, runCommand } from "../measure/run-command.ts"

interface PromptfooRun {
  readonly folder: string
  readonly url: string
  readonly rows: string
  readonly count: number
  readonly parallelism: number
}

/** Writes the same evaluation for promptfoo and returns a function that runs it, cold and without its cache. Undefined if it is not installed. */
export async function preparePromptfoo({ folder, url, rows, count, parallelism }: PromptfooRun) {
  if (!(await hasCommand("promptfoo"))) return undefined
  const config = join(folder, "promptfoo.json")
  const lines = (await readFile(rows, "utf8")).split("\n", count)
  const tests = lines.map((line) => ({
    vars: { question: (JSON.parse(line) as { readonly question: string }).question },
    assert: [{ type: "contains", value: "Paris" }],
  }))
  const provider = { id: "openai:chat:chat", config: { apiBaseUrl: `${url}/v1`, apiKey: "none" } }
  await writeFile(config, JSON.stringify({ prompts: ["{{question}}"], providers: [provider], tests }))
  const limits = ["--max-concurrency", String(parallelism), "--no-cache", "--no-progress-bar", "--no-table"]
  const env = {
    PROMPTFOO_CONFIG_DIR: join(folder, "promptfoo"),
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
  }
  return () =>
    runCommand(
      "promptfoo",
      ["eval", "--config", config, "--output", join(folder, "promptfoo-out.json"), ...limits],
      env,
    )
}
