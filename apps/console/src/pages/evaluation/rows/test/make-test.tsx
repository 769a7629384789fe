import type { RowAttempt } from "@assay/schemas"
import { useState, type ReactElement } from "react"
import { CodeBlock } from "../../../../components/code-block.tsx"
import { downloadText } from "../../../../documents/download-text.ts"
import { TEST_FILE, testOfRow } from "./test-of-row.ts"

export interface MakeTestProps {
  /** The id of the job. */
  readonly job: string
  readonly attempt: RowAttempt
}

/** Renders the button that makes a row a test: a line of a dataset, the lines of an evaluation file, and the command. */
export function MakeTest({ job, attempt }: MakeTestProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <p>
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Make this row a test
        </button>
      </p>
      {isOpen ? <TestShown job={job} attempt={attempt} /> : null}
    </>
  )
}

function TestShown({ job, attempt }: MakeTestProps): ReactElement {
  const { line, file, command } = testOfRow(job, attempt)
  return (
    <section aria-label="Test of this row">
      <p>
        Append this line to <code>{TEST_FILE}</code>. It has the texts of the row: remove what must not be shared.{" "}
        <button
          type="button"
          className="quiet"
          onClick={() => downloadText(TEST_FILE, "application/jsonl", `${line}\n`)}
        >
          Download
        </button>
      </p>
      <CodeBlock label="line of the test" text={line} />
      <p>An evaluation file with these lines, and the model and the prompt of the job, asks it again:</p>
      <CodeBlock label="lines of an evaluation file" text={file} />
      <p>The command does the same:</p>
      <CodeBlock label="command that makes the test" text={command} />
    </section>
  )
}
