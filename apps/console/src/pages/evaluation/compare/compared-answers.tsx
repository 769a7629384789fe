import { formatScore } from "@assay/reports"
import type { ComparedRow, Comparison, OtherSide, RowAttempt, RowAttempts, RowConversation } from "@assay/schemas"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { diffWords, type TextPart } from "../../../texts/diff-words.ts"
import { TextParts } from "../../../texts/text-parts.tsx"
import { TwoConversations } from "../conversation/two-conversations.tsx"
import { outputText } from "./compared-row.ts"

export interface ComparedAnswersProps {
  readonly row: ComparedRow
  /** The ids of the baseline and of the other job. */
  readonly jobs: readonly [a: string, b: string]
  /** Further jobs, in the order of the row's `others`. */
  readonly others: Comparison["jobs"]
}

/** Shows both answers to a row side by side: the words that differ, or two conversations from where they part. */
export function ComparedAnswers({ row, jobs, others }: ComparedAnswersProps): ReactElement {
  const client = useClient()
  const { data: job } = useQuery({
    queryKey: ["jobs", jobs[1]],
    queryFn: ({ signal }) => client.evaluation.jobs.get(jobs[1], { signal }),
  })
  const isConversation = job?.config.tasks?.[row.task]?.type === "conversation"
  return isConversation ? (
    <HeldConversations row={row} jobs={jobs} others={others} />
  ) : (
    <Answers row={row} others={others} />
  )
}

function Answers({ row, others }: Pick<ComparedAnswersProps, "row" | "others">): ReactElement {
  const { a, b } = row
  const before = outputText(a)
  const parts = useMemo(() => diffWords(before, outputText(b)), [before, b])
  return (
    <div className="sides">
      <Side label="Baseline" score={a.score} parts={parts.filter(({ kind }) => kind !== "added")} />
      <Side label="Job" score={b.score} parts={parts.filter(({ kind }) => kind !== "removed")} />
      {others.map(({ id, name }, at) => {
        const side = row.others?.[at]
        return side == null ? null : (
          <Side key={id} label={name} score={side.score} parts={againstBaseline(before, side)} />
        )
      })}
    </div>
  )
}

/** Returns the answer of a further job, with what the baseline does not have. */
function againstBaseline(before: string, side: OtherSide): readonly TextPart[] {
  return diffWords(before, outputText(side)).filter(({ kind }) => kind !== "removed")
}

interface SideProps {
  readonly label: string
  readonly score: number | null
  readonly parts: readonly TextPart[]
}

function Side({ label, score, parts }: SideProps): ReactElement {
  return (
    <div>
      <h4>
        {label} {formatScore(score)}
      </h4>
      {parts.length === 0 ? <p className="soft">no answer</p> : <TextParts parts={parts} />}
    </div>
  )
}

function HeldConversations({ row, jobs, others }: ComparedAnswersProps): ReactElement {
  const client = useClient()
  const { task, row_index: index, repeat } = row
  const [a, b] = useQueries({
    queries: jobs.map((id) => ({
      queryKey: ["jobs", id, "row", task, index],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.evaluation.jobs.row(id, { task, index }, { signal }),
    })),
  })
  const error = a?.error ?? b?.error
  if (error != null) return <ErrorCard error={error} />
  if (a?.data === undefined || b?.data === undefined) return <Loading />
  const before = heldIn(a.data, repeat)
  const after = heldIn(b.data, repeat)
  if (before === undefined || after === undefined) return <Answers row={row} others={others} />
  return (
    <TwoConversations
      a={{ label: `Baseline ${formatScore(row.a.score)}`, attempt: before }}
      b={{ label: `Job ${formatScore(row.b.score)}`, attempt: after }}
    />
  )
}

/** Returns the attempt that counts, if it has a whole conversation. */
function heldIn(
  { attempts }: RowAttempts,
  repeat: number,
): (RowAttempt & { readonly conversation: RowConversation }) | undefined {
  const last = attempts.findLast((attempt) => attempt.repeat === repeat)
  const conversation = last?.conversation
  return last === undefined || conversation === undefined ? undefined : { ...last, conversation }
}
