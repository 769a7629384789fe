import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { CalibratedJobs } from "./calibrated-jobs.tsx"
import { OpenReport } from "./open-report.tsx"
import { readJobReport, readReportFile } from "./read-job-report.ts"
import { ReportView } from "./report-view.tsx"
import "./calibration.css"

/** Shows whether judges are fit to guard: the report of a job, or of a file from a disk. */
export function CalibrationPage(): ReactElement {
  const client = useClient()
  const [job] = useSearchValue("job")
  const ofJob = useQuery({
    queryKey: ["jobs", job, "calibration"],
    queryFn: ({ signal }) => readJobReport(client, job ?? "", signal),
    enabled: job !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const opened = useMutation({ mutationFn: readReportFile })
  const open = (file: File) => opened.mutate(file)
  const report = opened.data ?? (job === undefined ? undefined : ofJob.data)
  const error = opened.error ?? ofJob.error
  return (
    <div
      className="calibration"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const [file] = event.dataTransfer.files
        if (file !== undefined) open(file)
      }}
    >
      <PageHeader
        title="Calibration"
        actions={
          <>
            {report === undefined ? null : (
              <Link to="/calibration" search={{}} className="button" onClick={() => opened.reset()}>
                Close the report
              </Link>
            )}
            <OpenReport onFile={open} />
          </>
        }
      >
        {opened.data === undefined ? (
          job === undefined ? (
            "How often a judge blocks safe prompts, and how often it misses unsafe ones."
          ) : (
            <Link to={`/jobs/${encodeURIComponent(job)}`}>{job}</Link>
          )
        ) : (
          <span dir="auto">{opened.variables?.name}</span>
        )}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      {opened.isPending || ofJob.isLoading ? <Loading /> : null}
      {report === undefined ? null : <ReportView report={report} />}
      {report === undefined && !opened.isPending && !ofJob.isLoading ? <CalibratedJobs /> : null}
    </div>
  )
}
