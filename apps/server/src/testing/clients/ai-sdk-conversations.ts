import { argv, stdout } from "node:process"
import { createOpenAI } from "@ai-sdk/openai"
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai"

// A program, because packages below the AI SDK have sources under the condition with which our tests run.
const [baseURL = "", harm = ""] = argv.slice(2)
const provider = createOpenAI({ baseURL, apiKey: "none" })
const prompt = "Say hello"
const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
  execute: ({ city }) => Promise.resolve(`sun in ${city}`),
})

async function conversation(form: "responses" | "chat") {
  const model = provider[form]("echo")
  const whole = await generateText({ model, prompt })
  const streamed = streamText({ model, prompt })
  const tools = {
    model: provider[form]("caller"),
    prompt: "Weather in Oslo?",
    tools: { weather },
    stopWhen: stepCountIs(3),
  }
  const acted = streamText(tools)
  return {
    whole: [whole.text, whole.finishReason, whole.usage.totalTokens],
    streamed: [await streamed.text, await streamed.finishReason, (await streamed.usage).totalTokens],
    blocked: [(await generateText({ model, prompt: harm })).text, await streamText({ model, prompt: harm }).text],
    tools: [(await generateText(tools)).text, await acted.text, await acted.finishReason],
  }
}

async function secondTurn(isStored: boolean) {
  const model = provider("echo")
  const { response } = await generateText({ model, prompt })
  const user = (content: string) => ({ role: "user" as const, content })
  const messages = [user(prompt), ...response.messages, user("Again")]
  const providerOptions = isStored ? {} : { openai: { store: false } }
  return generateText({ model, messages, providerOptions }).then(
    ({ text }) => text,
    (error: unknown) => String(error),
  )
}

const said = {
  responses: await conversation("responses"),
  chat: await conversation("chat"),
  secondTurn: [await secondTurn(true), await secondTurn(false)],
}
stdout.write(JSON.stringify(said))
