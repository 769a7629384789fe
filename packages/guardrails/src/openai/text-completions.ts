import { readContent } from "@assay/inference"
import { fieldsOf, listOf } from "@assay/json"
import type { TextCompletionBody } from "@assay/schemas"
import type { ChatForm, Fields } from "./chat-form.ts"
import { isAskedFor, unsupported } from "./unsupported.ts"

/** Completions of texts. The prompt is the message of the user in a chat, so that the same rails judge it. */
export const textCompletions: ChatForm<TextCompletionBody> = {
  read(body) {
    const { model, prompt, messages: _messages, stream, ...parameters } = body
    checkParameters(parameters)
    const content = promptOf(prompt)
    const chat = {
      ...parameters,
      messages: [{ role: "user", content }],
      ...(typeof model === "string" ? { model } : {}),
      ...(stream === true ? { stream } : {}),
    }
    return { chat, answer: (completion) => textForm(completion, "message"), events: textChunks }
  },
  hasNamedEvents: false,
}

function promptOf(prompt: TextCompletionBody["prompt"]): string {
  const [only, ...others] = Array.isArray(prompt) ? prompt : [prompt]
  if (others.length > 0) throw unsupported(["prompt"], "a chat has one prompt; send one request for each")
  if (typeof only !== "string") throw unsupported(["prompt"], "rails judge texts, not token numbers; send a text")
  return only
}

function checkParameters({ echo, suffix, logprobs, best_of }: Fields): void {
  if (isAskedFor(echo)) throw unsupported(["echo"], "the model is asked as a chat; leave it out", echo)
  if (isAskedFor(suffix)) throw unsupported(["suffix"], "a chat has no text after the answer; leave it out", suffix)
  if (isAskedFor(logprobs) && logprobs !== 0) {
    throw unsupported(["logprobs"], "a chat gives them in another form; use chat/completions", logprobs)
  }
  if (isAskedFor(best_of) && best_of !== 1) throw unsupported(["best_of"], "leave it out, or ask for 1", best_of)
}

async function* textChunks(chunks: AsyncIterable<Fields>): AsyncGenerator<Fields> {
  for await (const chunk of chunks) yield textForm(chunk, "delta")
}

function textForm({ object: _object, choices, ...rest }: Fields, part: "message" | "delta"): Fields {
  return { ...rest, object: "text_completion", choices: listOf(choices).map((choice) => textChoice(choice, part)) }
}

function textChoice(choice: unknown, part: "message" | "delta"): Fields {
  const { index = 0, finish_reason = null, [part]: said } = fieldsOf(choice)
  return { index, text: readContent(fieldsOf(said)["content"]).text ?? "", logprobs: null, finish_reason }
}
