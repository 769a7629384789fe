import { formatCount } from "@assay/reports"
import type { RowReport } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import { useState, type ReactElement } from "react"
import { useClient } from "../../api/use-client.ts"
import { ExampleCard } from "./example-card.tsx"

/** Loads the examples, most of which is their data, when one is run. */
const examples = () => import("./run-examples.ts")

/** Shows three things that work on an empty server and without a model, each with one click. `isOpen`: at once. */
export function FirstSteps({ isOpen }: { readonly isOpen: boolean }): ReactElement {
  const client = useClient()
  // It stays as it was while the first jobs come in.
  const [isFirst] = useState(isOpen)
  return (
    <details className="first-steps" open={isFirst}>
      <summary>Three things to try</summary>
      <p className="soft">
        They need no model. Their files are stored in the filesets <code>default/example-reviews</code> and{" "}
        <code>default/example-capitals</code>.
      </p>
      <div className="cards">
        <ExampleCard
          title="Find a bad row"
          label="Check three rows"
          run={async () => (await examples()).checkRows(client)}
          renderResult={(report) => <FoundRows report={report} />}
        >
          <p>Store three reviews with a schema, and see which one does not follow it, and where.</p>
        </ExampleCard>
        <ExampleCard
          title="Score answers"
          label="Score twelve answers"
          run={async () => (await examples()).scoreAnswers(client)}
          renderResult={(id) => <Link to={`/jobs/${encodeURIComponent(id)}`}>See the scores and every row</Link>}
        >
          <p>Score the stored answers of a model to twelve questions: each mean with its interval, and every row.</p>
        </ExampleCard>
        <ExampleCard
          title="Compare two versions"
          label="Score both versions"
          run={async () => (await examples()).scoreTwoVersions(client)}
          renderResult={([a, b]) => (
            <Link to="/compare" search={{ a, b }}>
              See what became better
            </Link>
          )}
        >
          <p>Is the new version better, or is the difference chance? Score both and see which rows changed.</p>
        </ExampleCard>
      </div>
    </details>
  )
}

function FoundRows({ report }: { readonly report: RowReport }): ReactElement {
  return (
    <>
      <p>
        {report.invalid} of {formatCount(report.rows, "row")} {report.invalid === 1 ? "is" : "are"} invalid.
      </p>
      <ul className="evidence">
        {report.files.flatMap(({ path, issues }) =>
          issues.map(({ row_index, line, pointer, message }) => (
            <li key={`${path} ${row_index} ${pointer}`}>
              <code>
                {path}:{line ?? row_index}
              </code>{" "}
              <code>{pointer}</code> {message}
            </li>
          )),
        )}
      </ul>
      <p>
        <Link to="/filesets/default/example-reviews">Open the fileset</Link>
      </p>
    </>
  )
}
