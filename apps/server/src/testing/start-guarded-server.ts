import { createFakeModels, type FakeChatReply, type FakeModel } from "@assay/testkit"
import { GUARDRAILS, startJudge, type TestJudge } from "./start-judge.ts"
import { startTestServer, type TestServer } from "./start-test-server.ts"

export interface GuardedServer extends AsyncDisposable {
  readonly server: TestServer
  readonly judge: TestJudge
  /** The base URL that clients of OpenAI's API get, for the configuration `g`. */
  readonly baseUrl: string
  /** Returns how often the model that answers was asked since the last call. */
  countCalls(): number
}

export const OPENAI_DOOR = `${GUARDRAILS}/default/configs/g/openai/v1`

/** Calls a function if it is offered one and has no output of it yet. */
const callerModel: FakeModel = ({ messages, tools }): FakeChatReply => {
  const output = messages.findLast(({ role }) => role === "tool")?.content
  if (output !== undefined) return { content: `The function said ${JSON.stringify(output).slice(1, -1)}.` }
  if (!Array.isArray(tools) || tools.length === 0) return { content: "I have no function." }
  const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }
  return { content: null, toolCalls: [call], finish_reason: "tool_calls" }
}

/** Starts a server with the configurations `g` and `default`: a judge before and behind a model that repeats, or calls a function. */
export async function startGuardedServer(env: Readonly<Record<string, string>> = {}): Promise<GuardedServer> {
  const judge = await startJudge(undefined, {
    models: { ...createFakeModels(), caller: callerModel, "org/echo": () => ({ content: "echo" }) },
  })
  const server = await startTestServer(env)
  for (const name of ["g", "default"]) {
    await server.call("POST", `${GUARDRAILS}/default/configs`, { json: { name, data: judge.data } })
  }
  let seen = 0
  return {
    server,
    judge,
    baseUrl: `${server.url}${OPENAI_DOOR}`,
    countCalls() {
      const asked = judge.fake.requests.filter(({ chat }) => chat !== undefined && chat.model !== "content-safety")
      const since = asked.length - seen
      seen = asked.length
      return since
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await judge.fake.close()
    },
  }
}
