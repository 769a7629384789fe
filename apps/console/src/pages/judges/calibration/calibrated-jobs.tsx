import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { hasJudgeReport } from "../../../api/judge-reports.ts"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Time } from "../../../components/times/time.tsx"
import { NewCalibration } from "./new-calibration.tsx"

/** Number of the newest jobs that are searched for reports. */
const LATEST = 200
const COMMAND = `assay guard calibrate --config content-safety --url https://host/v1 \\
  --model first-judge --model second-judge --max-false-block 0.05 --max-miss 0.1`

/** Renders the jobs with a report, and how to make one. */
export function CalibratedJobs(): ReactElement {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ["jobs", "calibrated"],
    queryFn: ({ signal }) => client.evaluation.jobs.page({ sort: "-created_at", page_size: LATEST }, { signal }),
  })
  const jobs = data?.data.filter(hasJudgeReport) ?? []
  return (
    <>
      {error === null ? null : <ErrorCard error={error} />}
      {jobs.length === 0 ? null : (
        <section className="card" aria-label="Jobs with a report">
          <h2>Reports of jobs</h2>
          <ul>
            {jobs.map(({ id, description, config, finished_at }) => (
              <li key={id}>
                <Link to="/calibration" search={{ job: id }} dir="auto">
                  {description === "" ? (config.name ?? id) : description}
                </Link>{" "}
                <span className="soft">
                  <Time at={finished_at} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NewCalibration />
      <section className="card empty">
        <strong>Measure judges on your own machine</strong>
        <p>
          The command asks each judge about labelled prompts and writes <code>calibration/report.json</code>. Open that
          file here, or drop it onto this page.
        </p>
        <CodeBlock text={COMMAND} label="command that calibrates two judges" />
      </section>
    </>
  )
}
