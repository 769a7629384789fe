import type {
  ChatBody,
  CheckAnswer,
  CheckRequest,
  CreateGuardrailConfiguration,
  GuardedChat,
  GuardrailChoice,
  GuardrailConfiguration,
  GuardrailConfigurationPage,
  UpdateGuardrailConfiguration,
} from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { readChunks } from "../exchange/streams.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

/** A chat and the guardrail that checks it. */
export type GuardedChatBody = ChatBody & { readonly guardrails: GuardrailChoice }

export interface Guardrails {
  create(workspace: string, body: CreateGuardrailConfiguration, options?: CallOptions): Promise<GuardrailConfiguration>
  /** Returns one page. Default `page_size` 100, from 1 to 1000. */
  page(workspace: string, query?: PageQuery, options?: CallOptions): Promise<GuardrailConfigurationPage>
  list(workspace: string, options?: CallOptions): AsyncGenerator<GuardrailConfiguration, void, undefined>
  get(workspace: string, name: string, options?: CallOptions): Promise<GuardrailConfiguration>
  update(
    workspace: string,
    name: string,
    body: UpdateGuardrailConfiguration,
    options?: CallOptions,
  ): Promise<GuardrailConfiguration>
  /** Removes a configuration and returns it. */
  remove(workspace: string, name: string, options?: CallOptions): Promise<GuardrailConfiguration>
  /** Checks messages with the rails. A blocked message is a result, not an error. */
  check(workspace: string, body: CheckRequest, options?: CallOptions): Promise<CheckAnswer>
  /** Returns a chat completion that the rails have checked. */
  chat(workspace: string, body: GuardedChatBody, options?: CallOptions): Promise<GuardedChat>
  /** Yields the chunks of such a completion. @throws the error that ended the stream; `bad_answer` if it breaks off */
  streamChat(
    workspace: string,
    body: GuardedChatBody,
    options?: CallOptions,
  ): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined>
}

const LIST_PAGE_SIZE = 1000

function path(workspace: string, ...below: readonly string[]): string {
  return `/apis/guardrails/v2/workspaces${route(workspace, ...below)}`
}

export function createGuardrails(call: CallJson, exchange: Exchange, url: string): Guardrails {
  const page: Guardrails["page"] = async (workspace, query = {}, { signal } = {}) =>
    call({ method: "GET", path: path(workspace, "configs"), query: { ...query }, signal })
  return {
    page,
    create: async (workspace, json, { signal } = {}) =>
      call({ method: "POST", path: path(workspace, "configs"), json, signal }),
    list: (workspace, options) => recordsOfPages(LIST_PAGE_SIZE, (part) => page(workspace, part, options)),
    get: async (workspace, name, { signal } = {}) =>
      call({ method: "GET", path: path(workspace, "configs", name), signal }),
    update: async (workspace, name, json, { signal } = {}) =>
      call({ method: "PATCH", path: path(workspace, "configs", name), json, signal }),
    remove: async (workspace, name, { signal } = {}) =>
      call({ method: "DELETE", path: path(workspace, "configs", name), signal }),
    // Their time depends on the models that are asked.
    check: async (workspace, json, { signal } = {}) =>
      call({ method: "POST", path: path(workspace, "checks"), json, signal, patient: true }),
    chat: async (workspace, body, { signal } = {}) => {
      const json = { ...body, stream: false }
      return call({ method: "POST", path: path(workspace, "chat", "completions"), json, signal, patient: true })
    },
    async *streamChat(workspace, body, { signal } = {}) {
      const address = { method: "POST", path: path(workspace, "chat", "completions") } as const
      const response = await exchange({
        ...address,
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ ...body, stream: true }),
        signal,
      })
      yield* readChunks(response, { method: address.method, url: `${url}${address.path}` }, signal)
    },
  }
}
