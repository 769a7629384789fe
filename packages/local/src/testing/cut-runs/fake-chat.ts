import { hash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { startLoopbackServer, type LoopbackServer } from "@assay/testkit"

/** A model whose answers depend on the question alone, and come in another order than they were asked. */
export interface FakeChat extends LoopbackServer {
  /** How often each question was asked. */
  readonly asked: ReadonlyMap<string, number>
  /** Whether connections are closed without an answer from now on. */
  isDown: boolean
  /** Whether no question is refused from now on. */
  isLenient: boolean
  /** Milliseconds that an answer takes at least. */
  slowness: number
  /** Forgets what was asked, so that the next questions are the first ones again. */
  forget(): void
}

interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly content: string }[]
}

/**
 * Starts the model. Questions that contain "refuse" are a 400, "retry" fails once with 503, "cut" ends at its limit, and the model "judge"
 * gives no verdict on one of eleven answers.
 */
export async function startFakeChat(): Promise<FakeChat> {
  const asked = new Map<string, number>()
  const state = { isDown: false, isLenient: false, slowness: 0 }
  const server = await startLoopbackServer(async ({ body, raw }, response) => {
    const { model, messages } = JSON.parse(body.toString()) as ChatBody
    const question = messages.map(({ content }) => content).join("\n")
    const key = `${model} ${question}`
    const times = (asked.get(key) ?? 0) + 1
    asked.set(key, times)
    const number = Number.parseInt(hash("sha256", key).slice(0, 6), 16)
    await pause(state.slowness + (number % 9))
    // Only questions: which of two repeats is asked first differs from run to run.
    const isBusy = model === "chat" && question.includes("retry") && times === 1
    const send = (status: number, answer: object): void => {
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" }).end(JSON.stringify(answer))
    }
    if (state.isDown) {
      raw.socket.destroy()
      return
    }
    if (isBusy) {
      send(503, { error: { message: "busy" } })
      return
    }
    if (question.includes("refuse") && !state.isLenient) {
      const error = { message: "The prompt is against the rules.", code: "invalid_prompt" }
      send(400, { error })
      return
    }
    const verdict = number % 11 === 0 ? "hm" : `{"rating": ${number % 6}}`
    const content = model === "judge" ? verdict : `answer ${number % 3}`
    const answer = {
      id: `answer-${number}`,
      object: "chat.completion",
      model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content },
          finish_reason: question.includes("cut") ? "length" : "stop",
        },
      ],
      usage: { prompt_tokens: 10 + (number % 5), completion_tokens: 3, total_tokens: 13 + (number % 5) },
    }
    send(200, answer)
  })
  return Object.assign(state, { ...server, asked, forget: () => asked.clear() })
}
