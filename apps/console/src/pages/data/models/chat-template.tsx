import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { RenderedPrompt } from "./rendered-prompt.tsx"
import { FIRST_CONVERSATION, SampleConversation } from "./sample-conversation.tsx"

export interface ChatTemplateProps {
  readonly workspace: string
  readonly name: string
  readonly template: string
}

/** Shows the chat template of a model, and the prompt that it makes of a conversation. */
export function ChatTemplate({ workspace, name, template }: ChatTemplateProps): ReactElement {
  const client = useClient()
  const [body, setBody] = useState(FIRST_CONVERSATION)
  const { data, error } = useQuery({
    queryKey: ["models", workspace, name, "rendering", template, body],
    queryFn: ({ signal }) => client.models.render(workspace, name, body, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Infinity,
  })
  return (
    <>
      <div className="columns">
        <div>
          <h3>Conversation</h3>
          <SampleConversation onRender={setBody} />
        </div>
        <div>
          <h3>Prompt</h3>
          {error === null ? null : <ErrorCard error={error} />}
          {data === undefined || error !== null ? null : <RenderedPrompt rendering={data} template={template} />}
        </div>
      </div>
      <details>
        <summary>The template</summary>
        <CodeBlock label="chat template" text={template} />
      </details>
    </>
  )
}
