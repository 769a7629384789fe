// Holds conversations as a script does that anyone would write: it sends each message with the whole history, answers calls of a tool from a table,
// compares, and writes a line for each conversation and a summary. It records nothing, so a second run asks everything again.
// Arguments: address, file of rows, number of rows, conversations in flight, folder for the results.
import { createWriteStream } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { finished } from "node:stream/promises"
import { OpenAI } from "openai"
import type { ChatCompletionMessageParam } from "openai/resources"
import { inParallel } from "../measure/in-parallel.ts"
import { TOOL, TURNS } from "./conversation-file.ts"

const [url = "", file = "", count = "0", parallelism = "0", folder = ""] = process.argv.slice(2)

const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 })
const rows = (await readFile(file, "utf8"))
  .split("\n", Number(count))
  .map((line) => JSON.parse(line) as { readonly question: string })
await mkdir(folder, { recursive: true })
const results = createWriteStream(join(folder, "results.jsonl"))
let right = 0
await inParallel(rows.length, Number(parallelism), async (index) => {
  const messages: ChatCompletionMessageParam[] = [{ role: "system", content: "You serve a shop." }]
  const scores: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    messages.push({ role: "user", content: `${turn}: ${rows[index]?.question ?? ""}` })
    for (;;) {
      const { choices } = await sdk.chat.completions.create({ model: "agent", messages, tools: [TOOL] })
      const message = choices[0]?.message
      if (message === undefined) break
      messages.push(message)
      for (const { id } of message.tool_calls ?? []) {
        messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify({ status: "shipped" }) })
      }
      if (message.tool_calls === undefined) {
        scores.push(message.content?.includes("shipped") === true ? 1 : 0)
        break
      }
    }
  }
  right += scores.reduce((sum, score) => sum + score, 0) / TURNS
  results.write(`${JSON.stringify({ ...rows[index], messages, scores })}\n`)
})
await finished(results.end())
await writeFile(join(folder, "summary.json"), JSON.stringify({ rows: rows.length, mean: right / rows.length }))
process.exit(0)
