import { argv, stdout } from "node:process"
import { HumanMessage, ToolMessage } from "@langchain/core/messages"
import { ChatOpenAI } from "@langchain/openai"

const [baseURL = "", harm = ""] = argv.slice(2)
const open = (model: string, useResponsesApi: boolean) =>
  new ChatOpenAI({ model, apiKey: "none", useResponsesApi, configuration: { baseURL } })
const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "Tells the weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
}

const tokensOf = ({ usage_metadata: usage }: object & { usage_metadata?: unknown }) =>
  (usage as { total_tokens?: number } | undefined)?.total_tokens

async function conversation(isResponses: boolean) {
  const model = open("echo", isResponses)
  let streamed = ""
  for await (const chunk of await model.stream("Say hello")) streamed += chunk.text
  const bound = open("caller", isResponses).bindTools([weather])
  const question = new HumanMessage("Weather in Oslo?")
  const asked = await bound.invoke([question])
  const [call] = asked.tool_calls ?? []
  const output = new ToolMessage({ content: "sun", tool_call_id: call?.id ?? "" })
  const whole = await model.invoke("Say hello")
  return {
    whole: [whole.text, tokensOf(whole)],
    streamed,
    blocked: (await model.invoke(harm)).text,
    tools: [call?.name, call?.args, (await bound.invoke([question, asked, output])).text],
  }
}

const statusOf = async (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    (error: unknown) => (error as { status?: number }).status,
  )

const said = {
  responses: await conversation(true),
  chat: await conversation(false),
  wrongModel: await statusOf(open("gone", false).invoke("Hello")),
}
stdout.write(JSON.stringify(said))
