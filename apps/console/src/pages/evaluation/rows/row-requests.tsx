import type { RowRequests } from "@assay/schemas"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { CodeBlock } from "../../../components/code-block.tsx"

/** Shows what the target, or the judge of a metric, was asked about a row. */
export function RowRequestsShown({ metric, requests, reason }: RowRequests): ReactElement {
  const name = metric === null ? "Request as JSON" : `What ${metric} asked`
  return (
    <Folded title={name}>
      {() => (
        <>
          {reason === null ? null : (
            <p>
              It cannot be rendered again: <span dir="auto">{reason}</span>
            </p>
          )}
          {requests.length === 0 ? null : (
            <CodeBlock label={name} text={JSON.stringify(requests.length === 1 ? requests[0] : requests, null, 2)} />
          )}
        </>
      )}
    </Folded>
  )
}
