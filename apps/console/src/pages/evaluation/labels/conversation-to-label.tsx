import type { RowConversation } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { Loading } from "../../../components/loading.tsx"
import { ConversationView } from "../conversation/conversation-view.tsx"
import type { RowToLabel } from "./use-label-queue.ts"

export interface ConversationToLabelProps {
  readonly id: string
  readonly row: RowToLabel
}

const NOT_JUDGED = {}

/** Shows the conversation of a row without its scores, which would lead people. */
export function ConversationToLabel({ id, row }: ConversationToLabelProps): ReactElement | null {
  const client = useClient()
  const { task, row_index: index, repeat } = row
  const { data } = useQuery({
    queryKey: ["jobs", id, "row", task, index],
    queryFn: ({ signal }) => client.evaluation.jobs.row(id, { task, index }, { signal }),
  })
  const held = data?.attempts.findLast((attempt) => attempt.repeat === repeat)?.conversation
  const conversation = useMemo(() => (held === undefined ? undefined : withoutScores(held)), [held])
  if (data === undefined) return <Loading />
  return conversation === undefined ? null : <ConversationView conversation={conversation} judged={NOT_JUDGED} />
}

function withoutScores(conversation: RowConversation): RowConversation {
  return { ...conversation, turns: conversation.turns.map((turn) => ({ ...turn, scores: {} })) }
}
