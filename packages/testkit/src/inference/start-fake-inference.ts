import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { completionAnswer } from "./completion-answer.ts"
import { type ConditionDetails, conditionAnswer } from "./condition-answer.ts"
import { embeddingsAnswer } from "./embeddings-answer.ts"
import type { FakeLanguage, FakeTextBody } from "./fake-language.ts"
import type { FakeChatBody, FakeChatReply, FakeModel } from "./fake-model.ts"
import { type InferenceAnswer, type InferenceRequest, inferenceRequest } from "./inference-request.ts"
import { type InferenceFault, type InferenceFaults, createInferenceFaults } from "./inference-faults.ts"
import { createFakeLanguages } from "./models/create-fake-languages.ts"
import { createFakeModels } from "./models/create-fake-models.ts"
import type { Personality } from "./condition-words.ts"
import { languageAnswer, promptsOf, replyAnswer } from "./text-completion-answer.ts"

export interface FakeInferenceOptions {
  /** Models by name. Default: those of `createFakeModels`. */
  readonly models?: Readonly<Record<string, FakeModel>>
  /** Models of text by name. Default: those of `createFakeLanguages`, if `models` is absent. */
  readonly languages?: Readonly<Record<string, FakeLanguage>>
  /** Refuses every other bearer token. Default: no token is required. */
  readonly key?: string | undefined
  /** Milliseconds before each answer. Default 0. */
  readonly latencyMs?: number
  /** The server whose error bodies it imitates. Default "openai". */
  readonly personality?: Personality
  /** Serves TLS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Default: a free one. */
  readonly port?: number
  /** Whether requests are recorded. Default true. Turn it off for long runs. */
  readonly record?: boolean
}

export interface FakeInference {
  /** Without `/v1`. */
  readonly url: string
  /** Every complete request, in order. */
  readonly requests: readonly InferenceRequest[]
  readonly faults: InferenceFaults
  readonly modelNames: readonly string[]
  /** Number of answers in progress. */
  countOpenAnswers(): number
  /** Closes the server. Its port then refuses connections. */
  close(): Promise<void>
}

/** Milliseconds for which an idle connection stays open. */
const KEEP_ALIVE_MS = 60_000

/** Starts a server for completions of chats and texts on a port of 127.0.0.1. It streams chats, and fails as real servers do. */
export async function startFakeInference(options: FakeInferenceOptions = {}): Promise<FakeInference> {
  const { models = createFakeModels(), key, latencyMs = 0, personality = "openai", record = true, tls } = options
  const languages = options.languages ?? (options.models === undefined ? createFakeLanguages() : {})
  const requests: InferenceRequest[] = []
  const faults = createInferenceFaults()
  const modelNames = [...Object.keys(models), ...Object.keys(languages)]
  let open = 0
  let count = 0

  /** Returns the reply of a model, or its fault. */
  async function answer(request: InferenceRequest): Promise<{ answer: InferenceAnswer; fault?: InferenceFault }> {
    const { chat, text, headers } = request
    const sent = headers.authorization?.replace(/^Bearer /, "") ?? ""
    const name = (chat ?? text)?.model ?? ""
    const details = { model: name, key: sent, url: request.url }
    if (key !== undefined && sent !== key) return { answer: conditionAnswer("unauthorized", personality, details) }
    if (request.method === "GET" && /^\/v1\/models(\?|$)/.test(request.url)) {
      const data = modelNames.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "fake" }))
      const body = JSON.stringify({ object: "list", data })
      return { answer: { status: 200, headers: { "content-type": "application/json" }, body } }
    }
    if (request.embeddings !== undefined) return { answer: embeddingsAnswer(request.embeddings) }
    const asked = chat ?? (text === undefined ? undefined : chatOf(text))
    if (asked === undefined || !request.url.startsWith("/v1/")) {
      return { answer: conditionAnswer("route-not-found", personality, details) }
    }
    const language = text !== undefined && Object.hasOwn(languages, name) ? languages[name] : undefined
    const model = Object.hasOwn(models, name) ? models[name] : undefined
    count += 1
    if (text !== undefined && language !== undefined) return { answer: languageAnswer(text, language, count) }
    if (model === undefined) return { answer: conditionAnswer("model-not-found", personality, details) }
    const write = (reply: FakeChatReply) =>
      text === undefined ? completionAnswer(asked, reply, count) : replyAnswer(text, reply, count)
    const reply = await model(asked)
    if (!("fault" in reply)) return { answer: write(reply) }
    const said = faultAnswer(reply.fault, personality, details)
    return { answer: said ?? write({ content: "It was told to fail." }), fault: reply.fault }
  }

  async function serve(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of raw) pieces.push(piece as Buffer)
    const { method = "", url = "", headers } = raw
    const request = inferenceRequest(method, url, headers, Buffer.concat(pieces).toString())
    if (record) requests.push(request)
    if (latencyMs > 0) await wait(latencyMs)
    const planned = faults.take(request)
    if (isSilenced(response, planned)) return
    const details = { model: (request.chat ?? request.text)?.model ?? "", key: headers.authorization ?? "", url }
    const said = planned === undefined ? undefined : faultAnswer(planned, personality, details)
    if (said !== undefined) return sendInferenceAnswer(response, said)
    const { answer: found, fault = planned } = await answer(request)
    if (!isSilenced(response, fault)) await sendInferenceAnswer(response, found, fault)
  }

  const listener: RequestListener = (raw, response) => {
    open += 1
    response.on("close", () => (open -= 1))
    serve(raw, response).catch((error: unknown) => {
      if (response.headersSent || raw.destroyed) raw.socket.destroy()
      // A fault of this server must not look like one of the network.
      else response.writeHead(500).end(String(error))
    })
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  // A client that computes for some seconds on a busy machine must not lose its idle connection while it sends.
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port ?? 0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    faults,
    modelNames,
    countOpenAnswers: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // This includes connections in a handshake, which the server does not count.
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Returns the chat that a model gets instead of a text. */
function chatOf(text: FakeTextBody): FakeChatBody {
  return { ...text, messages: [{ role: "user", content: promptsOf(text)[0] ?? "" }] }
}

/** Applies a fault that ends the exchange before the answer, and returns whether there was one. */
function isSilenced(response: ServerResponse, fault: InferenceFault | undefined): boolean {
  if (fault?.kind === "reset") {
    response.socket?.resetAndDestroy()
    return true
  }
  if (fault?.kind === "not-http") {
    response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n")
    return true
  }
  return fault?.kind === "hang"
}

/** Sends an answer, damaged by its fault if there is one. */
async function sendInferenceAnswer(
  response: ServerResponse,
  { status, headers, body }: InferenceAnswer,
  fault?: InferenceFault,
): Promise<void> {
  const length = typeof body === "string" ? { "content-length": Buffer.byteLength(body) } : {}
  response.writeHead(status, { ...headers, ...length })
  if (fault?.kind === "cut" || fault?.kind === "hang-in-body" || fault?.kind === "end-early") {
    const text = typeof body === "string" ? body : body.join("")
    // Send what was written before closing the connection.
    await new Promise((resolve) => response.write(Buffer.from(text).subarray(0, fault.after), resolve))
    if (fault.kind === "cut") response.destroy()
    if (fault.kind === "end-early") response.end()
    return
  }
  if (typeof body === "string") {
    response.end(body)
    return
  }
  for (const piece of body) response.write(piece)
  response.end()
}

const JSON_TYPE = { "content-type": "application/json" }
const PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to continue</body></html>"

/** Returns the answer of a fault, or undefined if the fault damages the model's answer. */
function faultAnswer(
  fault: InferenceFault,
  personality: Personality,
  details: ConditionDetails & { readonly url: string },
): InferenceAnswer | undefined {
  switch (fault.kind) {
    case "condition": {
      const answer = conditionAnswer(fault.condition, personality, details)
      if (fault.retryAfter === undefined) return answer
      return { ...answer, headers: { ...answer.headers, "retry-after": String(fault.retryAfter) } }
    }
    case "answer": {
      const { status, headers, body } = fault
      if (typeof body === "string") return { status, headers: { ...headers }, body }
      return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
    }
    case "html":
      return { status: fault.status ?? 200, headers: { "content-type": "text/html" }, body: PAGE }
    case "empty":
      return { status: 200, headers: JSON_TYPE, body: "" }
    case "error-in-success": {
      const error = { message: fault.message ?? "Provider returned error", code: 502 }
      return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ error }) }
    }
    case "no-choices":
      return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ id: "1", object: "chat.completion" }) }
    case "broken-json":
      return { status: 200, headers: JSON_TYPE, body: '{"id": "chatcmpl-1", "choices": [{"index": 0, "message"' }
    case "redirect-loop":
      return { status: 307, headers: { location: details.url }, body: "" }
    case "not-http":
    case "hang":
    case "hang-in-body":
    case "reset":
    case "cut":
    case "end-early":
    default:
      return undefined
  }
}
