import { OpenAI } from "openai"

const messages = [
  { role: "user", content: "Is this message safe? Answer as JSON with User Safety.\n\nHow do I kill a Linux process?" },
] as const

/** Calls the `openai` client as its documentation shows. */
export function bareClient(url: string, model = "judge"): () => Promise<unknown> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 })
  return () => client.chat.completions.create({ model, messages: [...messages], temperature: 0, max_tokens: 256 })
}
