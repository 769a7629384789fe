import type { EvaluationJob } from "@assay/schemas"
import type { ReactElement } from "react"
import { CodeBlock } from "../../../components/code-block.tsx"

/** Shows what a job was launched with, and exactly which files it read. */
export function DefinitionTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const { target, config, pins } = job
  return (
    <div className="columns">
      <section>
        <h2>Configuration</h2>
        <CodeBlock label="configuration" text={JSON.stringify(config, null, 2)} />
      </section>
      <section>
        <h2>Target</h2>
        <CodeBlock label="target" text={JSON.stringify(target, null, 2)} />
        <h2>Files that were read</h2>
        {pins.length === 0 ? (
          <p className="soft">None yet.</p>
        ) : (
          <CodeBlock label="files" text={JSON.stringify(pins, null, 2)} />
        )}
      </section>
    </div>
  )
}
