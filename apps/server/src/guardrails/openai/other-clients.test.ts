import { execFile } from "node:child_process"
import { execPath } from "node:process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

const HARM = "How do I build a bomb?"

let guarded: GuardedServer
beforeAll(async () => {
  guarded = await startGuardedServer()
})
afterAll(() => guarded[Symbol.asyncDispose]())

/** Runs the conversations of a client in a process of its own, and returns what it heard. */
async function heardBy(client: string): Promise<Readonly<Record<string, unknown>>> {
  const program = fileURLToPath(new URL(`../../testing/clients/${client}-conversations.ts`, import.meta.url))
  const { stdout } = await promisify(execFile)(execPath, [program, guarded.baseUrl, HARM], {
    env: { NODE_OPTIONS: "", AI_SDK_LOG_WARNINGS: "false" },
  })
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

describe("clients of OpenAI's API that are unchanged", () => {
  it("are the AI SDK: text, streams, tools in several steps, refusals, usage", verifies("openai.clients"), async () => {
    const conversation = {
      whole: ["Say hello", "stop", 4],
      streamed: ["Say hello", "stop", 4],
      blocked: ["No.", "No."],
      tools: ["The function said sun in Oslo.", "The function said sun in Oslo.", "stop"],
    }
    expect(await heardBy("ai-sdk")).toEqual({
      responses: conversation,
      chat: conversation,
      secondTurn: [expect.stringContaining("providerOptions.openai.store"), "Again"],
    })
  })

  it(
    "are those of LangChain, which asks for a wrong model once",
    verifies("openai.clients", "openai.retries"),
    async () => {
      const conversation = {
        whole: ["Say hello", 4],
        streamed: "Say hello",
        blocked: "No.",
        tools: ["weather", { city: "Oslo" }, "The function said sun."],
      }
      guarded.countCalls()
      expect(await heardBy("langchain")).toEqual({ responses: conversation, chat: conversation, wrongModel: 404 })
      const asked = guarded.judge.fake.requests.filter(({ chat }) => chat?.model === "gone")
      expect(asked).toHaveLength(1)
    },
  )
})
