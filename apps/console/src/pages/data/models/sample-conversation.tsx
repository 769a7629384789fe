import type { ChatRenderBody } from "@assay/schemas"
import { useState, type ReactElement } from "react"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { JsonField, readJson } from "../../../components/fields/json-field.tsx"

const ROLES = ["system", "user", "assistant", "tool"] as const

/** A message as it is edited. */
interface EditedMessage {
  readonly role: string
  readonly content: string
}

const FIRST: readonly EditedMessage[] = [
  { role: "user", content: "What is the capital of France?" },
  { role: "assistant", content: "Paris." },
  { role: "user", content: "And of Spain?" },
]

export const FIRST_CONVERSATION: ChatRenderBody = { messages: [...FIRST], add_generation_prompt: true }

/** Edits the messages and tools that a chat template renders. */
export function SampleConversation({ onRender }: { readonly onRender: (body: ChatRenderBody) => void }): ReactElement {
  const [messages, setMessages] = useState(FIRST)
  const [tools, setTools] = useState("[]")
  const [hasStart, setStart] = useState(true)
  const given = readJson(tools)
  const change = (position: number, next: Partial<EditedMessage>) =>
    setMessages(messages.map((message, index) => (index === position ? { ...message, ...next } : message)))
  const remove = (position: number) => setMessages(messages.filter((_, index) => index !== position))
  const render = () => {
    const list = Array.isArray(given.value) ? (given.value as NonNullable<ChatRenderBody["tools"]>) : []
    onRender({
      messages: [...messages],
      add_generation_prompt: hasStart,
      ...(list.length === 0 ? {} : { tools: list }),
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        render()
      }}
    >
      {messages.map((message, position) => (
        <MessageFields
          // oxlint-disable-next-line react/no-array-index-key -- a message has no name but its position
          key={position}
          message={message}
          number={position + 1}
          onChange={(part) => change(position, part)}
          onRemove={messages.length === 1 ? undefined : () => remove(position)}
        />
      ))}
      <details>
        <summary>Tools</summary>
        <JsonField label="Tools" hint="A list, as in a chat completion." value={tools} onChange={setTools} rows={6} />
      </details>
      <CheckField isChecked={hasStart} onChange={setStart}>
        Begin the answer, by add_generation_prompt
      </CheckField>
      <p className="actions">
        <button type="submit" className="primary" disabled={given.fault !== undefined}>
          Render
        </button>
        <button type="button" onClick={() => setMessages([...messages, { role: "user", content: "" }])}>
          Add a message
        </button>
      </p>
    </form>
  )
}

interface MessageFieldsProps {
  readonly message: EditedMessage
  readonly number: number
  readonly onChange: (part: Partial<EditedMessage>) => void
  /** Undefined for the only message, which stays. */
  readonly onRemove: (() => void) | undefined
}

/** Renders the fields of one message. */
function MessageFields({ message, number, onChange, onRemove }: MessageFieldsProps): ReactElement {
  return (
    <fieldset className="message" aria-label={`Message ${number}`}>
      <select
        aria-label={`Role of message ${number}`}
        value={message.role}
        onChange={({ target }) => onChange({ role: target.value })}
      >
        {ROLES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <textarea
        rows={2}
        dir="auto"
        aria-label={`Content of message ${number}`}
        value={message.content}
        onChange={({ target }) => onChange({ content: target.value })}
      />
      <button
        type="button"
        className="quiet"
        aria-label={`Remove message ${number}`}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        Remove
      </button>
    </fieldset>
  )
}
