import { AssayError, type ChatMessage, invalidRequest } from "@assay/schemas"
import { createStepBudget, type StepBudget } from "@assay/templates"
import {
  type FieldRead,
  fieldsOfTemplates,
  type RowTemplate,
  type RowValues,
  type Structure,
  compileRowTemplate,
  compileStructure,
  jsonOfTemplate,
} from "./row-template.ts"

/** A request to a model, in the form of `@assay/inference`. */
export interface RenderedRequest {
  readonly messages: readonly ChatMessage[]
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A compiled `params.template`. */
export interface RequestTemplate {
  /** Whether it is written as a list of messages. False: it is a prompt, which is one message of the user. */
  readonly isChat: boolean
  readonly templates: readonly RowTemplate[]
  /** Fields that rows must have. */
  readonly fields: readonly FieldRead[]
  /** Renders all templates without a pause, so they share one budget of steps. */
  readonly render: (values: RowValues, steps?: StepBudget) => RenderedRequest
}

const FORMS = 'write {messages: [{role, content}]}, {messages: "{{ item.messages | tojson }}"} or {prompt}'

/**
 * Compiles a template of a request. It has one of 3 forms: a list of messages, an expression that returns such a list, or a prompt,
 * which becomes a message of the user. Other keys (`tools`, `tool_choice`, `max_tokens`, …) become parameters of the request.
 * @throws `template_error`, `invalid_request`
 */
export function compileRequestTemplate(source: unknown, name: string): RequestTemplate {
  const { messages, prompt, ...rest } = formOf(source, name)
  const { templates, render } = compileMessages({ messages, prompt }, name)
  const beside = Object.entries(rest)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [key, compileStructure(value, `${name}.${key}`)] as const)
  const all = [...templates, ...beside.flatMap(([, part]) => part.templates)]
  return {
    isChat: messages !== undefined,
    templates: all,
    fields: fieldsOfTemplates(all),
    render: (values, steps = createStepBudget()) => ({
      messages: render(values, steps),
      parameters: renderBeside(beside, { values, steps }, name),
    }),
  }
}

function formOf(source: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof source === "string") return { prompt: source }
  if (Array.isArray(source)) return { messages: source }
  if (typeof source === "object" && source !== null) return source as Readonly<Record<string, unknown>>
  throw invalidRequest(name.split("."), `is not a template of a request; ${FORMS}.`, "type", source)
}

interface Messages {
  readonly templates: readonly RowTemplate[]
  readonly render: (values: RowValues, steps: StepBudget) => readonly ChatMessage[]
}

function compileMessages({ messages, prompt }: Readonly<Record<string, unknown>>, name: string): Messages {
  if (typeof messages === "string") {
    const location = `${name}.messages`
    const template = compileRowTemplate(messages, location)
    return {
      templates: [template],
      render: (values, steps) => checkMessages(jsonOfTemplate(template.evaluate(values, steps), location), location),
    }
  }
  if (Array.isArray(messages) && messages.length > 0) {
    const parts = messages.map((message, index) => compileMessage(message, `${name}.messages.${index}`))
    return {
      templates: parts.flatMap((part) => part.templates),
      render: (values, steps) => parts.map((part) => part.render(values, steps) as ChatMessage),
    }
  }
  if (typeof prompt === "string" && messages === undefined) {
    const template = compileRowTemplate(prompt, `${name}.prompt`)
    return {
      templates: [template],
      render: (values, steps) => [{ role: "user", content: template.render(values, steps) }],
    }
  }
  throw invalidRequest(name.split("."), `has no messages and no prompt; ${FORMS}.`, "missing")
}

function compileMessage(message: unknown, name: string): Structure {
  const { content, ...rest } = (typeof message === "object" && message !== null ? message : {}) as Record<
    string,
    unknown
  >
  if (typeof rest["role"] !== "string")
    throw invalidRequest(name.split("."), `is not a message; ${FORMS}.`, "type", message)
  const others = compileStructure(rest, name)
  const location = `${name}.content`
  // A text is rendered as text, even if it is one expression: content can't be a number.
  const text = typeof content === "string" ? compileRowTemplate(content, location) : undefined
  const parts = compileStructure(content ?? null, location)
  return {
    templates: [...others.templates, ...(text === undefined ? parts.templates : [text])],
    render: (values, steps = createStepBudget()) => ({
      ...(others.render(values, steps) as object),
      content: text === undefined ? parts.render(values, steps) : contentOf(text, values, steps),
    }),
  }
}

/** Renders the content of a message. A list, such as parts with an image, stays a list. */
function contentOf(text: RowTemplate, values: RowValues, steps: StepBudget): unknown {
  const value = text.evaluate(values, steps)
  return Array.isArray(value) || typeof value === "string" ? value : text.render(values, steps)
}

function renderBeside(
  beside: readonly (readonly [string, Structure])[],
  { values, steps }: { readonly values: RowValues; readonly steps: StepBudget },
  name: string,
): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {}
  for (const [key, part] of beside) {
    const value = part.render(values, steps)
    const read =
      key === "tools" || (key === "tool_choice" && isJsonText(value)) ? jsonOfTemplate(value, `${name}.${key}`) : value
    const isNothing =
      read === null || read === undefined || (key === "tools" && Array.isArray(read) && read.length === 0)
    if (!isNothing) parameters[key] = read
  }
  return parameters
}

function isJsonText(value: unknown): boolean {
  return typeof value === "string" && value.trimStart().startsWith("{")
}

function checkMessages(value: unknown, name: string): readonly ChatMessage[] {
  const isMessage = (one: unknown): one is ChatMessage =>
    typeof one === "object" && one !== null && typeof (one as Record<string, unknown>)["role"] === "string"
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) return value
  const message = `The template '${name}' gave no list of messages; each needs a role and content.`
  throw new AssayError("template_error", message, { context: { template: name } })
}

/** Returns a template that takes the request from a row, under the first existing key of `keys`: messages, or a text of the user. */
export function rowRequest(keys: readonly string[]): RequestTemplate {
  return {
    isChat: false,
    templates: [],
    fields: [],
    render({ item }) {
      const found = keys.find((key) => item[key] !== undefined && item[key] !== null)
      const asked = found === undefined ? undefined : item[found]
      if (typeof asked === "string") return { messages: [{ role: "user", content: asked }], parameters: {} }
      if (Array.isArray(asked) && asked.length > 0) return { messages: asked as readonly ChatMessage[], parameters: {} }
      const names = keys.map((key) => `'${key}'`).join(" or ")
      throw new AssayError(
        "rows_invalid",
        `The row has no text and no messages under ${names}; it has '${Object.keys(item).slice(0, 12).join("', '")}'.`,
      )
    },
  }
}
