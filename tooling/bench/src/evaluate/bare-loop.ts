// Evaluates as a script does that anyone would write: it reads rows, asks in parallel, compares, and writes a line for each row
// and a summary. Arguments: client (openai or undici), address, file of rows, number of rows, requests in flight, folder for the results.
import { createWriteStream } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { finished } from "node:stream/promises"
import { inParallel } from "../measure/in-parallel.ts"

const [client = "", url = "", file = "", count = "0", parallelism = "0", folder = ""] = process.argv.slice(2)

type Ask = (question: string) => Promise<string>

async function openaiCall(): Promise<Ask> {
  const { OpenAI } = await import("openai")
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 })
  return async (content) => {
    const answer = await sdk.chat.completions.create({ model: "chat", messages: [{ role: "user", content }] })
    return answer.choices[0]?.message.content ?? ""
  }
}

async function undiciCall(): Promise<Ask> {
  const { Agent, request } = await import("undici")
  const dispatcher = new Agent({ connections: null })
  const headers = { "content-type": "application/json" }
  return async (content) => {
    const body = JSON.stringify({ model: "chat", messages: [{ role: "user", content }] })
    const answer = await request(`${url}/v1/chat/completions`, { method: "POST", headers, body, dispatcher })
    const { choices } = (await answer.body.json()) as { choices: readonly { message: { content: string } }[] }
    return choices[0]?.message.content ?? ""
  }
}

const ask = client === "openai" ? await openaiCall() : await undiciCall()
const rows = (await readFile(file, "utf8"))
  .split("\n", Number(count))
  .map((line) => JSON.parse(line) as { readonly question: string })
await mkdir(folder, { recursive: true })
const results = createWriteStream(join(folder, "results.jsonl"))
let right = 0
await inParallel(rows.length, Number(parallelism), async (index) => {
  const row = rows[index]
  if (row === undefined) return
  const output = await ask(row.question)
  const score = output.includes("Paris") ? 1 : 0
  right += score
  results.write(`${JSON.stringify({ ...row, output, score })}\n`)
})
await finished(results.end())
await writeFile(join(folder, "summary.json"), JSON.stringify({ rows: rows.length, mean: right / rows.length }))
process.exit(0)
