import type { ReactElement } from "react"
import { valueText } from "../../../documents/value-text.ts"
import { ConversationShown } from "../../../texts/conversation-shown.tsx"
import { readConversation } from "../../../texts/conversation.ts"
import { RichText } from "../../../texts/rich-text.tsx"
import "./item-fields.css"

type Field = readonly [name: string, value: unknown]

/** Renders fields of an item: short ones in lines, and the others below, each with its form. */
export function ItemFields({ fields }: { readonly fields: readonly Field[] }): ReactElement {
  return (
    <>
      <dl className="short-fields">
        {fields.filter(isShort).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd dir="auto">{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      <dl className="item-fields">
        {fields.map(([name, value]) => {
          if (isShort([name, value])) return null
          const messages = readConversation(value)
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {messages === undefined ? (
                  <RichText text={valueText(value)} label={name} />
                ) : (
                  <ConversationShown messages={messages} />
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}

/** Characters of a value that stands in a line with others, so that what is judged stays in sight. */
const MAX_SHORT = 24

function isShort([, value]: Field): boolean {
  const text = typeof value === "object" && value !== null ? undefined : valueText(value)
  return text !== undefined && text.length <= MAX_SHORT && !text.includes("\n")
}
