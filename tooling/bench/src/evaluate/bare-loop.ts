// Requests completions in parallel, and prints seconds and memory. Arguments: client (openai or undici), url, rows, parallelism.
import process from "node:process"
import { OpenAI } from "openai"
import { Agent, request } from "undici"
import { inParallel } from "../in-parallel.ts"
import { peakMemory } from "../measure-memory.ts"

const [client = "", url = "", rows = "0", parallelism = "0"] = process.argv.slice(2)

function openaiCall(): (question: string) => Promise<unknown> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 })
  return async (content) => {
    const answer = await sdk.chat.completions.create({ model: "chat", messages: [{ role: "user", content }] })
    return answer.choices[0]?.message.content?.includes("Paris")
  }
}

function undiciCall(): (question: string) => Promise<unknown> {
  const dispatcher = new Agent({ connections: null })
  const headers = { "content-type": "application/json" }
  return async (content) => {
    const body = JSON.stringify({ model: "chat", messages: [{ role: "user", content }] })
    const answer = await request(`${url}/v1/chat/completions`, { method: "POST", headers, body, dispatcher })
    return JSON.stringify(await answer.body.json()).includes("Paris")
  }
}

const call = client === "openai" ? openaiCall() : undiciCall()
const ask = async (index: number) => void (await call(`What is the capital of country ${index}?`))
const seconds = await inParallel(Number(rows), Number(parallelism), ask)
process.stdout.write(JSON.stringify({ rows: Number(rows), seconds, peakBytes: peakMemory() }))
process.exit(0)
