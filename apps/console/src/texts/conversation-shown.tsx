import type { ReactElement } from "react"
import { CodeBlock } from "../components/code-block.tsx"
import type { ShownMessage } from "./conversation.ts"
import { RichText } from "./rich-text.tsx"

/** Renders messages one below the other, each with its role. */
export function ConversationShown({ messages }: { readonly messages: readonly ShownMessage[] }): ReactElement {
  return (
    <ol className="conversation">
      {messages.map(({ role, text, more }, index) => {
        const key = `message ${index}`
        return (
          <li key={key} data-role={role}>
            <b>{role}</b>
            {text === "" ? null : <RichText text={text} label={`message ${index + 1}`} />}
            {more === undefined ? null : <CodeBlock text={more} label={`parts of message ${index + 1}`} />}
          </li>
        )
      })}
    </ol>
  )
}
