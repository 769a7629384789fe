import type { Certificate, EvaluationJob } from "@assay/schemas"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { nameOfJob } from "../../evaluation/jobs/job-names.ts"
import { CalibratedJobs } from "./calibrated-jobs.tsx"
import { OpenReport } from "./open-report.tsx"
import { readJobReport, readJudgeFile } from "./read-job-report.ts"
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
  const opened = useMutation({ mutationFn: readJudgeFile })
  const open = (file: File) => opened.mutate(file)
  const certificate = opened.data?.kind === "certificate" ? opened.data.certificate : undefined
  const ofFile = opened.data?.kind === "report" ? opened.data.report : undefined
  const report =
    certificate === undefined ? (ofFile ?? (job === undefined ? undefined : ofJob.data?.report)) : undefined
  const isOpen = report !== undefined || certificate !== undefined
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
        help="guides/guardrails#is-this-judge-fit-to-guard"
        title="Calibration"
        actions={
          <>
            {isOpen ? (
              <Link to="/calibration" search={{}} className="button" onClick={() => opened.reset()}>
                {certificate === undefined ? "Close the report" : "Close the certificate"}
              </Link>
            ) : null}
            <OpenReport onFile={open} />
          </>
        }
      >
        {opened.data === undefined ? (
          job === undefined ? (
            "How often a judge blocks safe prompts, and how often it misses unsafe ones."
          ) : (
            <JobLink id={job} job={ofJob.data?.job} />
          )
        ) : (
          <span dir="auto">{opened.variables?.name}</span>
        )}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      {opened.isPending || ofJob.isLoading ? <Loading /> : null}
      {report === undefined ? null : <ReportView report={report} />}
      {certificate === undefined ? null : <LoadedCertificate certificate={certificate} />}
      {!isOpen && !opened.isPending && !ofJob.isLoading ? <CalibratedJobs /> : null}
    </div>
  )
}

/** Links to the job of a report by its name, and by its id until it was read. */
function JobLink({ id, job }: { readonly id: string; readonly job: EvaluationJob | undefined }): ReactElement {
  return (
    <Link to={`/jobs/${encodeURIComponent(id)}`} title={id} dir="auto">
      {job === undefined ? id : nameOfJob(job)}
    </Link>
  )
}

/** Renders a certificate once its part of the console is loaded. */
function LoadedCertificate({ certificate }: { readonly certificate: Certificate }): ReactElement {
  const { data } = useQuery({
    queryKey: ["part", "certificate"],
    queryFn: () => import("./certificate-view.tsx"),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data === undefined ? <Loading /> : <data.CertificateView certificate={certificate} />
}
